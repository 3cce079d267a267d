import { bind } from "@/app/(api)/bind.ts";
import { command } from "@/lib/http/thread-stream.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.commandThread, command);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";

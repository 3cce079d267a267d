import { bind } from "@/app/(api)/bind.ts";
import { copy } from "@/lib/http/threads.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.copyThread, copy);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";

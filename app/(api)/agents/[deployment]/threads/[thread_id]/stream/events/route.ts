import { bind } from "@/app/(api)/bind.ts";
import { stream, upgrade } from "@/lib/http/thread-stream.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.upgradeThread, upgrade);
export const POST = bind(operations.streamThread, stream);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";

import { bind } from "@/app/(api)/bind.ts";
import { get, update } from "@/lib/http/thread-state.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const GET = bind(operations.getThreadState, get);
export const POST = bind(operations.updateThreadState, update);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";

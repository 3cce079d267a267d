import { bind } from "@/app/(api)/bind.ts";
import { getAt } from "@/lib/http/thread-state.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const POST = bind(operations.getThreadStateAt, getAt);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";

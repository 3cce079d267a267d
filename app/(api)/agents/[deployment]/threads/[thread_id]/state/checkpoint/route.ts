import { bind } from "#app/(api)/bind.ts";
import { getThreadStateAt } from "#lib/http/thread-state.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.getThreadStateAt, getThreadStateAt);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

import { bind } from "#app/(api)/bind.ts";
import { getThreadStateById } from "#lib/http/thread-state.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getThreadStateById, getThreadStateById);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

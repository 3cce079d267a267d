import { bind } from "#app/(api)/bind.ts";
import { getThreadState, updateThreadState } from "#lib/http/thread-state.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getThreadState, getThreadState);
export const POST = bind(operations.updateThreadState, updateThreadState);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

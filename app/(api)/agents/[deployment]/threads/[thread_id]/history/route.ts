import { bind } from "#app/(api)/bind.ts";
import { getThreadHistory, listThreadHistory } from "#lib/http/thread-state.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.listThreadHistory, listThreadHistory);
export const POST = bind(operations.getThreadHistory, getThreadHistory);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

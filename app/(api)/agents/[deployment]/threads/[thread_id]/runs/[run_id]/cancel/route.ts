import { bind } from "#app/(api)/bind.ts";
import { cancelRun } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.cancelRun, cancelRun);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

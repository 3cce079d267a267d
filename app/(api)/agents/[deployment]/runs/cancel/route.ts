import { bind } from "#app/(api)/bind.ts";
import { cancelRuns } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.cancelRuns, cancelRuns);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

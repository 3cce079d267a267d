import { bind } from "#app/(api)/bind.ts";
import { searchRuns } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.searchRuns, searchRuns);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

import { bind } from "#app/(api)/bind.ts";
import { countRuns } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.countRuns, countRuns);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

import { bind } from "#app/(api)/bind.ts";
import { getRun } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.findRun, getRun);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

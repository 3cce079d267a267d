import { bind } from "#app/(api)/bind.ts";
import { createRun, listRuns } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.listRuns, listRuns);
export const POST = bind(operations.createThreadRun, createRun);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

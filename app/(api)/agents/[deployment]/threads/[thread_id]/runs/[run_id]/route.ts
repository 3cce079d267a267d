import { bind } from "#app/(api)/bind.ts";
import { deleteRun, getRun } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getRun, getRun);
export const DELETE = bind(operations.deleteRun, deleteRun);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

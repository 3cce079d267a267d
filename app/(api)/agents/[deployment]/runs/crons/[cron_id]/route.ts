import { bind } from "#app/(api)/bind.ts";
import { deleteCron, updateCron } from "#lib/http/crons.ts";
import { operations } from "#lib/protocol/operations.ts";

export const PATCH = bind(operations.updateCron, updateCron);
export const DELETE = bind(operations.deleteCron, deleteCron);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

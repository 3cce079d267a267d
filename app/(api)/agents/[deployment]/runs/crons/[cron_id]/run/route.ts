import { bind } from "#app/(api)/bind.ts";
import { runCron } from "#lib/http/crons.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.runCron, runCron);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

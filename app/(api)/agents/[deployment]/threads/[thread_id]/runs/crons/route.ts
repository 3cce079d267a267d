import { bind } from "#app/(api)/bind.ts";
import { createCron } from "#lib/http/crons.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.createThreadCron, createCron);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

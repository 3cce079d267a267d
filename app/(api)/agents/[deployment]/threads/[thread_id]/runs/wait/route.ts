import { bind } from "#app/(api)/bind.ts";
import { waitRun } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.waitThreadRun, waitRun);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

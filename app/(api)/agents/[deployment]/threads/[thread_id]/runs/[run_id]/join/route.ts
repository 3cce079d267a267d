import { bind } from "#app/(api)/bind.ts";
import { joinRun } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.joinRun, joinRun);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

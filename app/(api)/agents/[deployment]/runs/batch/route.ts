import { bind } from "#app/(api)/bind.ts";
import { createRuns } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.createRuns, createRuns);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

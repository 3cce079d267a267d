import { bind } from "#app/(api)/bind.ts";
import { createRun } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.createRun, createRun);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

import { bind } from "#app/(api)/bind.ts";
import { streamRun } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.streamRun, streamRun);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

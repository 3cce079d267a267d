import { bind } from "#app/(api)/bind.ts";
import { joinRunStream } from "#lib/http/runs.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.joinRunStream, joinRunStream);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

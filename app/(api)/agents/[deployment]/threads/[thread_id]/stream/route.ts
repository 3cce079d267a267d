import { bind } from "#app/(api)/bind.ts";
import { joinThreadStream } from "#lib/http/thread-stream.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.joinThreadStream, joinThreadStream);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

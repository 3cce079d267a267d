import { bind } from "#app/(api)/bind.ts";
import { openThreadSocket, streamThread } from "#lib/http/thread-stream.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.openThreadSocket, openThreadSocket);
export const POST = bind(operations.streamThread, streamThread);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

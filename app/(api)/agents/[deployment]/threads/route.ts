import { bind } from "#app/(api)/bind.ts";
import { createThread } from "#lib/http/threads.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.createThread, createThread);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

import { bind } from "#app/(api)/bind.ts";
import { copyThread } from "#lib/http/threads.ts";
import { operations } from "#lib/protocol/operations.ts";

export const POST = bind(operations.copyThread, copyThread);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

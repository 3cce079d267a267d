import { bind } from "#app/(api)/bind.ts";
import { deleteThread, getThread, updateThread } from "#lib/http/threads.ts";
import { operations } from "#lib/protocol/operations.ts";

export const GET = bind(operations.getThread, getThread);
export const PATCH = bind(operations.updateThread, updateThread);
export const DELETE = bind(operations.deleteThread, deleteThread);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

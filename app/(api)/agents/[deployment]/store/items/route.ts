import { bind } from "#app/(api)/bind.ts";
import { deleteItem, getItem, putItem } from "#lib/http/store.ts";
import { operations } from "#lib/protocol/operations.ts";

export const PUT = bind(operations.putItem, putItem);
export const GET = bind(operations.getItem, getItem);
export const DELETE = bind(operations.deleteItem, deleteItem);
export { preflight as OPTIONS } from "#app/(api)/bind.ts";

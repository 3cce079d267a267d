import { bind } from "@/app/(api)/bind.ts";
import { get, put, remove } from "@/lib/http/store.ts";
import { operations } from "@/lib/protocol/operations.ts";

export const PUT = bind(operations.putItem, put);
export const GET = bind(operations.getItem, get);
export const DELETE = bind(operations.deleteItem, remove);
export { preflight as OPTIONS } from "@/app/(api)/bind.ts";

import { ItemDelete, ItemGet, ItemPut, ItemSearch, NamespaceList } from "../store.ts";
import type { Operation } from "./operation.ts";

const items = "/store/items";

export const storeOperations = {
  putItem: { method: "PUT", path: items, access: "key", body: ItemPut, answer: "json", summary: "Store an item" },
  getItem: {
    method: "GET",
    path: items,
    access: "key",
    query: ItemGet,
    answer: "json",
    summary: "Get a stored item, null when there is none",
  },
  deleteItem: {
    method: "DELETE",
    path: items,
    access: "key",
    body: ItemDelete,
    answer: "json",
    summary: "Delete a stored item",
  },
  searchItems: {
    method: "POST",
    path: `${items}/search`,
    access: "key",
    body: ItemSearch,
    answer: "json",
    summary: "Search stored items by filter and by meaning",
  },
  listNamespaces: {
    method: "POST",
    path: "/store/namespaces",
    access: "key",
    body: NamespaceList,
    answer: "json",
    summary: "List the namespaces of stored items",
  },
} as const satisfies Record<string, Operation>;

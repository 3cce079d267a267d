import { ItemDelete, ItemGet, ItemPut, ItemSearch, NamespaceList } from "../store.ts";
import type { Operation } from "./operation.ts";

const items = "/store/items";

export const storeOperations = {
  putItem: { method: "PUT", path: items, body: ItemPut, summary: "Store an item" },
  getItem: { method: "GET", path: items, query: ItemGet, summary: "Get a stored item, null when there is none" },
  deleteItem: { method: "DELETE", path: items, body: ItemDelete, summary: "Delete a stored item" },
  searchItems: {
    method: "POST",
    path: `${items}/search`,
    body: ItemSearch,
    summary: "Search stored items by filter and by meaning",
  },
  listNamespaces: {
    method: "POST",
    path: "/store/namespaces",
    body: NamespaceList,
    summary: "List the namespaces of stored items",
  },
} as const satisfies Record<string, Operation>;

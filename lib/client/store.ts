import type { JsonObject } from "../protocol/json.ts";
import type { Item } from "../protocol/store.ts";
import { call, read } from "./call.ts";

export interface ItemId {
  readonly namespace: readonly string[];
  readonly key: string;
}

export interface ItemSearch {
  readonly namespace: readonly string[];
  readonly filter: JsonObject;
  /** Searches by meaning, where the deployment has an index. */
  readonly query?: string | undefined;
}

export interface NamespacePage {
  readonly namespaces: readonly (readonly string[])[];
  /** The items in or below each namespace; absent on servers that do not count. */
  readonly counts?: readonly number[] | undefined;
}

export interface ItemToPut extends ItemId {
  readonly value: unknown;
  readonly index?: false | readonly string[] | undefined;
  /** Minutes until it expires; null for no expiry. */
  readonly ttl?: number | null | undefined;
}

export type StoreApi = ReturnType<typeof storeApi>;

/** The calls for the long-term store. All of them may throw a `RequestFailure`. Reading here renews no time to live. */
export function storeApi(base: string) {
  const url = `${base}/store/items`;
  return {
    namespaces: async (limit: number, offset: number) =>
      read<NamespacePage>(await call("POST", `${base}/store/namespaces`, { limit, offset, counts: true })),
    search: async ({ namespace, filter, query }: ItemSearch, limit: number, offset: number) => {
      const body = { namespace_prefix: namespace, filter, query, limit, offset, refresh_ttl: false };
      return (await read<{ items: Item[] }>(await call("POST", `${url}/search`, body))).items;
    },
    get: async ({ namespace, key }: ItemId) => {
      const query = new URLSearchParams({ key, refresh_ttl: "false" });
      for (const label of namespace) query.append("namespace", label);
      // A single parameter would be split at its periods; a label has none.
      return read<Item | null>(await call("GET", `${url}?${query}`));
    },
    put: (item: ItemToPut) => call("PUT", url, item),
    remove: ({ namespace, key }: ItemId) => call("DELETE", url, { namespace, key }),
  };
}

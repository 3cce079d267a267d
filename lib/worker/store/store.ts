/** The long-term store that graphs see. The host keeps it; this side only sends the operations. */
import type { BaseStore, Operation, OperationResults } from "@langchain/langgraph";
import type { RequestOrigin } from "../../protocol/host-requests.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { Item, StoreOperation } from "../../protocol/store.ts";
import type { HostRequests } from "../host-requests.ts";
import type { LangGraph } from "../langgraph.ts";
import { plainOf } from "../plain.ts";
import { batchByTick } from "./batching.ts";

/** Makes the store of one run. `beforeEnd` delays the end of the graph's loop, also that of a graph which fails. */
export type NewStore = (origin: RequestOrigin, beforeEnd: () => Promise<void>) => BaseStore;

/** The number of results of a search that sets no limit. */
const LIMIT = 10;
const ALL = 1_000_000;

export function hostStores({ BaseStore: Base, AsyncBatchedStore }: LangGraph, host: HostRequests): NewStore {
  if (AsyncBatchedStore) batchByTick(AsyncBatchedStore.prototype, Base.prototype);
  class HostStore extends Base {
    readonly #origin: RequestOrigin;
    readonly #beforeEnd: () => Promise<void>;

    constructor(origin: RequestOrigin, beforeEnd: () => Promise<void>) {
      super();
      this.#origin = origin;
      this.#beforeEnd = beforeEnd;
    }

    override async batch<Operations extends Operation[]>(operations: Operations) {
      const requests = operations.map(operationOf);
      if (requests.length === 0) return resultsOf<Operations>([], []);
      return resultsOf<Operations>(requests, await host.ask(this.#origin, { about: "store", operations: requests }));
    }

    override stop(): Promise<void> {
      return this.#beforeEnd();
    }
  }
  return (origin, beforeEnd) => new HostStore(origin, beforeEnd);
}

/** Recognises operations by their members, as LangGraph's own stores do. The host checks their content. */
function operationOf(operation: Operation): StoreOperation {
  if ("namespacePrefix" in operation) {
    const { namespacePrefix: prefix, filter, limit, offset, query } = operation;
    return { do: "search", prefix, filter: filterOf(filter), query, limit: limit ?? LIMIT, offset: offset ?? 0 };
  }
  if ("value" in operation) {
    const { namespace, key, value, index } = operation;
    if (value === null) return { do: "delete", namespace, key };
    return { do: "put", namespace, key, value: valueOf(value), index: index ?? undefined };
  }
  if ("key" in operation) return { do: "get", namespace: operation.namespace, key: operation.key };
  const { matchConditions, maxDepth: depth, limit, offset } = operation;
  const match = (matchConditions ?? []).map(({ matchType, path }) => ({ at: matchType, path }));
  return { do: "namespaces", match, depth, limit: limit ?? ALL, offset: offset ?? 0 };
}

function valueOf(value: unknown): JsonObject {
  const plain = plainOf(value);
  if (isObject(plain)) return plain;
  throw new TypeError("The value of a stored item must be an object");
}

/** Throws for undefined members: JSON would drop them, and then a filter for one user would find the items of all. */
function filterOf(filter: JsonObject | undefined): JsonObject | undefined {
  const missing = Object.entries(filter ?? {}).find(([, wanted]) => wanted === undefined);
  if (missing) throw new TypeError(`The filter of a search is undefined for "${missing[0]}"`);
  return filter && valueOf(filter);
}

/** Converts the host's answers. They have the form of `protocol/store`: what LangGraph promises, with dates as text. */
function resultsOf<Operations extends Operation[]>(
  requests: readonly StoreOperation[],
  answers: unknown,
): OperationResults<Operations> {
  const results = answers as unknown[];
  return requests.map((operation, index) => resultOf(operation, results[index])) as OperationResults<Operations>;
}

function resultOf(operation: StoreOperation, answer: unknown): unknown {
  switch (operation.do) {
    case "get":
      return answer === null ? null : itemOf(answer as Item);
    case "search":
      return (answer as Item[]).map((item) => ({ ...itemOf(item), score: item.score ?? undefined }));
    case "namespaces":
      return answer;
    case "put":
    case "delete":
      return undefined;
  }
}

function itemOf({ namespace, key, value, created_at, updated_at }: Item) {
  return { value, key, namespace, createdAt: new Date(created_at), updatedAt: new Date(updated_at) };
}

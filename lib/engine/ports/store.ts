/** Port of the long-term store. */
import type { RequestOrigin } from "../../protocol/host-requests.ts";
import type { Item } from "../../protocol/store.ts";
import type { FilterCondition } from "../../rules/store/items.ts";
import type { Visibility } from "../../rules/visibility.ts";

export interface StoredItem extends Item {
  /** Minutes that it is kept after it was stored or refreshed; null: without limit. */
  ttl: number | null;
}

export interface ItemAddress {
  namespace: readonly string[];
  key: string;
}

export interface NewItem extends ItemAddress {
  /** Id of the item if it is new; ids are ordered by time. */
  id: string;
  value: Item["value"];
  ttl: number | null;
  /** Milliseconds since the epoch. */
  expires: number | null;
  /** Embeddings for semantic search, by the path of each text in the value. */
  vectors: ReadonlyMap<string, Float32Array>;
}

/** The requester of a change. It is the host when `origin` is left out. */
export interface StoreRequester {
  origin?: RequestOrigin;
  /** The items that the requester sees; all when left out. */
  visible?: Visibility;
}

export interface ItemQuery {
  /** The first labels of the namespaces to search; labels match as a whole. */
  prefix: readonly string[];
  conditions: readonly FilterCondition[];
  /** All when left out. */
  visible?: Visibility;
  limit: number;
  offset: number;
}

export interface CountedNamespace {
  namespace: string[];
  items: number;
}

/** Limits what is read for one answer. */
export interface ReadBudget {
  /** Counts the text of an item's value. Throws when the limit is exceeded. */
  take(text: string): void;
}

/**
 * Items in namespaces. Labels contain no period. Items expired by `now` (ms since the epoch) are ignored.
 * Implemented in lib/drivers/sql/store.ts.
 */
export interface StoreItems {
  get(address: ItemAddress, now: number, budget?: ReadBudget): Promise<StoredItem | undefined>;
  /**
   * Writes all changes or none. An existing item keeps its id and creation time, and loses its vectors. Items that are
   * not visible are not deleted; when one would be overwritten, nothing is written: `hidden`. Faults: `conflict` when
   * `origin` is a run whose claim is lost.
   */
  write(
    puts: readonly NewItem[],
    deletes: readonly ItemAddress[],
    now: number,
    requester?: StoreRequester,
  ): Promise<"written" | "hidden">;
  /** Returns items in the order in which they were first stored. */
  search(query: ItemQuery, now: number, budget?: ReadBudget): Promise<StoredItem[]>;
  /** Returns the nearest items first, with scores, then those without vectors; compares at most the 10,000 newest. */
  nearest(query: ItemQuery, vector: Float32Array, now: number, budget?: ReadBudget): Promise<StoredItem[]>;
  /** Yields the namespaces that hold visible items and begin with these labels, each once. */
  namespaces(prefix: readonly string[], now: number, visible?: Visibility): AsyncIterable<string[]>;
  /** Yields the same namespaces in the order of their labels joined by periods, with the number of their visible items. */
  countedNamespaces(prefix: readonly string[], now: number, visible?: Visibility): AsyncIterable<CountedNamespace>;
  /** Sets when items expire. */
  refresh(items: readonly (ItemAddress & { expires: number })[], now: number): Promise<void>;
  /** Deletes expired items; returns how many. */
  sweep(now: number): Promise<number>;
}

/** What the engine needs of a long-term store. */
import type { Item } from "../../protocol/store.ts";
import type { FilterCondition } from "../../rules/store/items.ts";
import type { Visibility } from "../../rules/visibility.ts";

export interface StoredItem extends Item {
  /** Minutes that it lives after it was stored or refreshed; null: for ever. */
  ttl: number | null;
}

export interface ItemAddress {
  namespace: readonly string[];
  key: string;
}

export interface NewItem extends ItemAddress {
  /** Of the item, should it be new; ids are in order of time. */
  id: string;
  value: Item["value"];
  ttl: number | null;
  /** Milliseconds since the epoch. */
  expires: number | null;
  /** What stands for it in a search by meaning, by the place of each text in the value. */
  vectors: ReadonlyMap<string, Float32Array>;
}

export interface ItemQuery {
  /** The first labels of the namespaces to look into, all of them whole. */
  prefix: readonly string[];
  conditions: readonly FilterCondition[];
  /** All when left out. */
  visible?: Visibility;
  limit: number;
  offset: number;
}

/** Counts what is read for one answer. */
export interface ReadBudget {
  /** Counts the text of an item's value. Throws when that is too much. */
  take(text: string): void;
}

/** Items in namespaces. Labels hold no period. What has expired by `now` (ms since the epoch) is not there. */
export interface StoreItems {
  get(address: ItemAddress, now: number, budget?: ReadBudget): Promise<StoredItem | undefined>;
  /**
   * All of them, or none. An item that is there keeps its id and time of creation, and loses its vectors. What is not
   * visible is not deleted; where it would be overwritten nothing is written: `hidden`.
   */
  write(
    puts: readonly NewItem[],
    deletes: readonly ItemAddress[],
    now: number,
    visible?: Visibility,
  ): Promise<"written" | "hidden">;
  /** In the order in which they were first stored. */
  search(query: ItemQuery, now: number, budget?: ReadBudget): Promise<StoredItem[]>;
  /** Nearest to the vector first, with their scores, then what has no vectors; at most the 10,000 newest are looked at. */
  nearest(query: ItemQuery, vector: Float32Array, now: number, budget?: ReadBudget): Promise<StoredItem[]>;
  /** The namespaces that have items, visible ones, and begin with these labels, each once. */
  namespaces(prefix: readonly string[], now: number, visible?: Visibility): AsyncIterable<string[]>;
  /** Lets items expire at another time. */
  refresh(items: readonly (ItemAddress & { expires: number })[], now: number): Promise<void>;
  /** Deletes what has expired; returns how many. */
  sweep(now: number): Promise<number>;
}

import type { Item } from "../protocol/store.ts";
import { createEmitter } from "../rules/emitter.ts";
import { errorMessage } from "../rules/text/error-message.ts";
import { RequestFailure } from "./refusal.ts";
import type { ItemSearch, StoreApi } from "./store.ts";

export interface ItemListState {
  readonly items: readonly Item[];
  /** True once no more items follow. */
  readonly isComplete: boolean;
  readonly isLoading: boolean;
  /** The reason why the last request failed. */
  readonly failure?: string | undefined;
}

const PAGE = 100;
/** The page with which all items are read. */
const LARGE_PAGE = 1000;

/** Reads the items of one search, page by page. The pages shrink when the items are too large for one answer. */
export class ItemList {
  readonly #api: Pick<StoreApi, "search">;
  readonly #search: ItemSearch;
  readonly #changes = createEmitter();
  #state: ItemListState = { items: [], isComplete: false, isLoading: false };
  #largest = LARGE_PAGE;
  /** Counts the beginnings, so that an answer to an older request is dropped. */
  #generation = 0;

  constructor(api: Pick<StoreApi, "search">, search: ItemSearch) {
    this.#api = api;
    this.#search = search;
  }

  readonly state = (): ItemListState => this.#state;
  readonly subscribe = (listener: () => void): (() => void) => this.#changes.on(listener);

  /** Reads one more page. */
  readonly more = (): Promise<void> => this.#load(this.#state.items.length + PAGE, PAGE);

  /** Reads on until there are `most` items. */
  readonly upTo = (most: number): Promise<void> => this.#load(most, LARGE_PAGE);

  /** Reads the items again, as many as there were. They are replaced at once. */
  async refresh(): Promise<void> {
    const wanted = Math.max(PAGE, this.#state.items.length);
    this.#generation++;
    this.#set({ isLoading: false });
    await this.#load(wanted, LARGE_PAGE, []);
  }

  async #load(wanted: number, page: number, start = this.#state.items): Promise<void> {
    const isAgain = start !== this.#state.items;
    if (this.#state.isLoading || (this.#state.isComplete && !isAgain)) return;
    const generation = ++this.#generation;
    this.#set({ isLoading: true, failure: undefined });
    let items = start;
    let isComplete = false;
    try {
      while (items.length < wanted && !isComplete) {
        const limit = Math.min(page, this.#largest, wanted - items.length);
        const found = await this.#page(limit, items.length);
        if (generation !== this.#generation) return;
        if (!found) continue;
        items = items.concat(found);
        isComplete = found.length < limit;
        if (!isAgain) this.#set({ items, isComplete });
      }
      this.#set({ items, isComplete, isLoading: false });
    } catch (error) {
      if (generation === this.#generation) this.#set({ isLoading: false, failure: errorMessage(error) });
    }
  }

  /** Reads a page; undefined if it is too large, and is to be tried with the next smaller size. */
  async #page(limit: number, offset: number): Promise<Item[] | undefined> {
    try {
      return await this.#api.search(this.#search, limit, offset);
    } catch (error) {
      if (!(error instanceof RequestFailure && error.status === 413) || limit === 1) throw error;
      this.#largest = Math.max(1, Math.floor(limit / 4));
      return undefined;
    }
  }

  #set(change: Partial<ItemListState>): void {
    this.#state = { ...this.#state, ...change };
    this.#changes.emit();
  }
}

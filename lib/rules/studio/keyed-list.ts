/** The items of a chunk. Replacing a new item copies half as many pointers, and an old one those to the chunks besides. */
const CHUNK = 64;

/**
 * An immutable list of items with unique keys, in the order in which they were added. Keys are never removed, so all lists
 * that grew from one share an index and their last chunk: what was added later lies behind the end of the others. Adding to
 * the newest of them copies nothing. One that has been added to before copies the index first.
 */
export class KeyedList<T> implements Iterable<T> {
  readonly size: number;
  /** Chunks of `CHUNK` items. */
  readonly #full: readonly (readonly T[])[];
  /** The items after those of the full chunks, and perhaps later ones of other lists. */
  readonly #last: T[];
  /** The place of each key, and perhaps later ones of other lists. */
  readonly #index: Map<string, number>;

  private constructor(size: number, full: readonly (readonly T[])[], last: T[], index: Map<string, number>) {
    this.size = size;
    this.#full = full;
    this.#last = last;
    this.#index = index;
  }

  static empty<T>(): KeyedList<T> {
    return new KeyedList<T>(0, [], [], new Map());
  }

  /** Makes a list of items whose keys differ. */
  static from<T>(entries: Iterable<readonly [key: string, item: T]>): KeyedList<T> {
    let list = KeyedList.empty<T>();
    for (const [key, item] of entries) list = list.#added(key, item);
    return list;
  }

  at(index: number): T | undefined {
    if (index < 0 || index >= this.size) return undefined;
    const place = Math.floor(index / CHUNK);
    return (this.#full[place] ?? this.#last)[index % CHUNK];
  }

  /** The item that was added last. */
  get last(): T | undefined {
    return this.at(this.size - 1);
  }

  get(key: string): T | undefined {
    return this.at(this.indexOf(key));
  }

  /** Returns -1 for a key that is not in the list. */
  indexOf(key: string): number {
    const index = this.#index.get(key) ?? -1;
    return index < this.size ? index : -1;
  }

  /** Replaces the item with this key in its place, or adds it at the end. Returns the same list if nothing changes. */
  with(key: string, item: T): KeyedList<T> {
    const index = this.indexOf(key);
    if (index < 0) return this.#added(key, item);
    return this.at(index) === item ? this : this.#replaced(index, item);
  }

  *[Symbol.iterator](): Generator<T> {
    for (const chunk of this.#full) yield* chunk;
    yield* this.#ownLast();
  }

  #added(key: string, item: T): KeyedList<T> {
    const { size } = this;
    const index = this.#index.size === size ? this.#index : this.#ownIndex();
    index.set(key, size);
    const count = this.#lastCount();
    if (count === CHUNK) return new KeyedList(size + 1, [...this.#full, this.#last], [item], index);
    const last = this.#last.length === count ? this.#last : this.#ownLast();
    last.push(item);
    return new KeyedList(size + 1, this.#full, last, index);
  }

  #replaced(index: number, item: T): KeyedList<T> {
    const place = Math.floor(index / CHUNK);
    const full = this.#full[place];
    if (!full) return new KeyedList(this.size, this.#full, this.#ownLast().with(index % CHUNK, item), this.#index);
    return new KeyedList(this.size, this.#full.with(place, full.with(index % CHUNK, item)), this.#last, this.#index);
  }

  #lastCount(): number {
    return this.size - this.#full.length * CHUNK;
  }

  #ownIndex(): Map<string, number> {
    const index = new Map<string, number>();
    for (const [key, at] of this.#index) {
      if (at >= this.size) break;
      index.set(key, at);
    }
    return index;
  }

  #ownLast(): T[] {
    return this.#last.slice(0, this.#lastCount());
  }
}

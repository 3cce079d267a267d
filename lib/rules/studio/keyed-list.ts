/** The items of a chunk, and the width of both levels of the index: a change copies some hundred pointers. */
const CHUNK = 64;
const WIDTH = 64;

type Bucket = (readonly [key: string, index: number])[];
type Buckets = (Bucket | undefined)[];
/** Buckets by the upper, then by the lower half of the hash. Those without keys are left out. */
type Index = (Buckets | undefined)[];

const noBuckets = (): Buckets => Array.from({ length: WIDTH });
const noIndex = (): Index => Array.from({ length: WIDTH });
/** The index of every empty list. A change copies it. */
const NO_INDEX: Readonly<Index> = noIndex();

/**
 * An immutable list of items with unique keys, in the order in which they were added. A changed list shares all
 * unchanged parts with the one before it, so that a change of one in 10,000 items costs about a microsecond.
 */
export class KeyedList<T> implements Iterable<T> {
  readonly size: number;
  readonly #chunks: readonly (readonly T[])[];
  readonly #index: Readonly<Index>;

  private constructor(size: number, chunks: readonly (readonly T[])[], index: Readonly<Index>) {
    this.size = size;
    this.#chunks = chunks;
    this.#index = index;
  }

  static empty<T>(): KeyedList<T> {
    return new KeyedList<T>(0, [], NO_INDEX);
  }

  /** Makes a list of items whose keys differ, in less time than adding one after the other takes. */
  static from<T>(entries: Iterable<readonly [key: string, item: T]>): KeyedList<T> {
    const chunks: T[][] = [];
    const index = noIndex();
    let size = 0;
    for (const [key, item] of entries) {
      if (size % CHUNK === 0) chunks.push([]);
      chunks.at(-1)?.push(item);
      const [upper, lower] = placeOf(key);
      ((index[upper] ??= noBuckets())[lower] ??= []).push([key, size]);
      size++;
    }
    return new KeyedList(size, chunks, index);
  }

  at(index: number): T | undefined {
    return this.#chunks[Math.floor(index / CHUNK)]?.[index % CHUNK];
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
    const [upper, lower] = placeOf(key);
    return this.#index[upper]?.[lower]?.find(([known]) => known === key)?.[1] ?? -1;
  }

  /** Replaces the item with this key in its place, or adds it at the end. Returns the same list if nothing changes. */
  with(key: string, item: T): KeyedList<T> {
    const index = this.indexOf(key);
    if (index >= 0) return this.at(index) === item ? this : this.#replaced(index, item);
    const [upper, lower] = placeOf(key);
    const buckets = this.#index[upper] ?? noBuckets();
    const bucket: Bucket = [...(buckets[lower] ?? []), [key, this.size]];
    const last = this.#chunks.at(-1);
    const isFull = last === undefined || last.length === CHUNK;
    const chunks = isFull ? [...this.#chunks, [item]] : this.#chunks.with(this.#chunks.length - 1, [...last, item]);
    return new KeyedList(this.size + 1, chunks, this.#index.with(upper, buckets.with(lower, bucket)));
  }

  *[Symbol.iterator](): Generator<T> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  #replaced(index: number, item: T): KeyedList<T> {
    const place = Math.floor(index / CHUNK);
    const chunk = this.#chunks[place] ?? [];
    return new KeyedList(this.size, this.#chunks.with(place, chunk.with(index % CHUNK, item)), this.#index);
  }
}

/** Returns where the index has a key: FNV-1a, of the last characters only. Keys may be long, and ids differ at their end. */
function placeOf(key: string): readonly [upper: number, lower: number] {
  let hash = 0x81_1c_9d_c5;
  for (let at = Math.max(0, key.length - 24); at < key.length; at++) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x01_00_01_93);
  }
  const mixed = hash ^ (hash >>> 16);
  return [(mixed >>> 6) & (WIDTH - 1), mixed & (WIDTH - 1)];
}

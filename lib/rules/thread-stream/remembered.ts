/** A map that holds so many characters and no more: what it has held longest goes first. */
export interface Remembered<V> {
  get(key: string): V | undefined;
  /** `size`: of the value, in characters. Gives what went for it, the value itself when it is too large to be held. */
  set(key: string, value: V, size: number): V[];
  /** Gives what was there. */
  delete(key: string): V | undefined;
  /** Oldest first. */
  values(): V[];
}

/** An entry costs this much beside its key and its value, in characters. */
const ENTRY = 128;

export function remembered<V>(most: number): Remembered<V> {
  const entries = new Map<string, { value: V; size: number }>();
  let held = 0;
  const remove = (key: string): V | undefined => {
    const entry = entries.get(key);
    if (!entry) return undefined;
    entries.delete(key);
    held -= entry.size;
    return entry.value;
  };
  return {
    get: (key) => entries.get(key)?.value,
    delete: remove,
    values: () => [...entries.values()].map(({ value }) => value),
    set(key, value, valueSize) {
      remove(key);
      const size = ENTRY + key.length + valueSize;
      if (size > most) return [value];
      const gone: V[] = [];
      for (const [oldest, entry] of entries) {
        if (held + size <= most) break;
        remove(oldest);
        gone.push(entry.value);
      }
      entries.set(key, { value, size });
      held += size;
      return gone;
    },
  };
}

/** A map with a limit on its characters. It evicts the oldest entries first. */
export interface BoundedMap<V> {
  get(key: string): V | undefined;
  /** `size` is that of the value, in characters. Returns the evicted values, or the value itself if it is too large. */
  set(key: string, value: V, size: number): V[];
  /** Returns the value that was deleted. */
  delete(key: string): V | undefined;
  /** Returns the values, oldest first. */
  values(): V[];
}

/** The characters that an entry counts for in addition to its key and its value. */
const ENTRY = 128;

export function boundedMap<V>(most: number): BoundedMap<V> {
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

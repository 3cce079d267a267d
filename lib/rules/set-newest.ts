/** Sets an entry as the newest of a map, and deletes the oldest one when the map has more than `most`. */
export function setNewest<V>(map: Map<string, V>, key: string, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

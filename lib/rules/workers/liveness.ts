/** One interval of watching a process. */
export interface Interval {
  /** It said something. */
  heard: boolean;
  /** The host was reading what it says. */
  listening: boolean;
}

/**
 * How many intervals in a row a process has said nothing for, after one more. They are counted, not measured: an
 * interval that lasts longer because the host itself was busy, or asleep, counts as one like every other.
 */
export function quietAfter(quiet: number, { heard, listening }: Interval): number {
  if (heard) return 0;
  return listening ? quiet + 1 : quiet;
}

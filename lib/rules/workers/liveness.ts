/** One interval in which a process was watched. */
export interface Interval {
  /** The process sent a message. */
  hasMessage: boolean;
  /** The host was reading its messages. */
  listening: boolean;
}

/**
 * Returns the number of intervals in a row without a message, after one more. Intervals are counted, not measured: one
 * that lasts longer because the host itself was busy or asleep counts as one.
 */
export function quietAfter(quiet: number, { hasMessage, listening }: Interval): number {
  if (hasMessage) return 0;
  return listening ? quiet + 1 : quiet;
}

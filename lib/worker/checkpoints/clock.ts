/**
 * Keeps the ids of checkpoints in order. LangGraph makes an id of the time, and the greatest one is the state of its thread. The
 * machine that made the last checkpoint may have a clock that is ahead of this one's.
 */

/** 100 ns between the beginning of UUID time (15 October 1582) and of Unix time. */
const UUID_EPOCH = 122_192_928_000_000_000n;
/** A UUID of version 6, from whose beginning the time is read. */
const VERSION_6 = /^([0-9a-f]{8})-([0-9a-f]{4})-6([0-9a-f]{3})-/i;
/** A time that is further ahead than this comes from no clock, in ms. */
const MOST_AHEAD_MS = 24 * 3_600_000;

let aheadMs = 0;

/** Returns the time in the id of a checkpoint, in ms since the epoch; undefined for an id that was made in another way. */
export function timeOfId(id: string): number | undefined {
  const [, high, mid, low] = VERSION_6.exec(id) ?? [];
  if (high === undefined || mid === undefined || low === undefined) return undefined;
  return Number((BigInt(`0x${high}${mid}${low}`) - UUID_EPOCH) / 10_000n);
}

/** Sets this process's `Date.now` ahead if its time has not passed that of a checkpoint yet: the next id has to be greater. */
export function passTimeOf(id: string): void {
  const time = timeOfId(id);
  if (time === undefined) return;
  const lagMs = time + 1 - Date.now();
  if (lagMs <= 0 || lagMs > MOST_AHEAD_MS) return;
  if (aheadMs === 0) {
    const { now } = Date;
    Date.now = () => now() + aheadMs;
  }
  aheadMs += lagMs;
}

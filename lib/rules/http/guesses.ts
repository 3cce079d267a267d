/** How many wrong keys one address may show, and when its right one is refused as well. */

/** In this time, */
export const WINDOW_MS = 60_000;
/** so many wrong keys are looked at, and so many different ones tried before the address has to wait. */
export const MOST_WRONG = 10;

/** What is remembered of an address. Times are ms since the epoch. */
export interface Tries {
  /** Wrong keys that were told to be wrong, the oldest first; at most `MOST_WRONG`. */
  readonly told: readonly number[];
  /** Different wrong keys, each with the last time it was shown; at most `MOST_WRONG`. */
  readonly keys: ReadonlyMap<string, number>;
}

export const NO_TRIES: Tries = { told: [], keys: new Map() };

/** The tries of the last minute. A clock that was set back makes no try last longer. */
function recent({ told, keys }: Tries, now: number): Tries {
  const isRecent = (at: number): boolean => Math.abs(now - at) < WINDOW_MS;
  return { told: told.filter(isRecent), keys: new Map([...keys].filter(([, at]) => isRecent(at))) };
}

/**
 * When any key of this address is looked at again (ms since the epoch); undefined when it is now. One client that repeats
 * one wrong key locks nobody out: that takes different ones, as guessing does.
 */
export function lockedUntil(tries: Tries, now: number): number | undefined {
  const { keys } = recent(tries, now);
  return keys.size < MOST_WRONG ? undefined : Math.min(...keys.values()) + WINDOW_MS;
}

/** What a wrong key is answered, and what is remembered then; `until` when it is not told to be wrong. */
export interface Judged {
  readonly tries: Tries;
  readonly until?: number;
}

/** `key` stands for the wrong key, and is not the key. Total. */
export function judgeWrong(before: Tries, key: string, now: number): Judged {
  const { told, keys } = recent(before, now);
  // A lock ends when it was said to end, whatever is tried meanwhile.
  const locked = lockedUntil({ told, keys }, now);
  if (locked !== undefined) return { tries: { told, keys }, until: locked };
  const seen = new Map(keys).set(key, now);
  const [oldest] = told;
  if (oldest === undefined || told.length < MOST_WRONG) return { tries: { told: [...told, now], keys: seen } };
  const until = oldest + WINDOW_MS;
  return { tries: { told, keys: seen }, until: Math.max(until, lockedUntil({ told, keys: seen }, now) ?? until) };
}

/** The limit of wrong keys for each address, and when the right key is refused as well. */

/** The time for which an attempt counts. */
export const WINDOW_MS = 60_000;
/** The number of wrong keys that are checked in this time, and of different ones before the address is locked. */
export const MOST_WRONG = 10;

/** The recent attempts of an address. Times are ms since the epoch. */
export interface KeyAttempts {
  /** Times of the attempts that were answered as wrong, the oldest first; at most `MOST_WRONG`. */
  readonly answered: readonly number[];
  /** Different wrong keys, each with its last attempt; at most `MOST_WRONG`. */
  readonly keys: ReadonlyMap<string, number>;
}

export const NO_ATTEMPTS: KeyAttempts = { answered: [], keys: new Map() };

/** Returns the attempts of the last minute. A clock that was set back does not make an attempt count longer. */
function recent({ answered, keys }: KeyAttempts, now: number): KeyAttempts {
  const isRecent = (at: number): boolean => Math.abs(now - at) < WINDOW_MS;
  return { answered: answered.filter(isRecent), keys: new Map([...keys].filter(([, at]) => isRecent(at))) };
}

/**
 * Returns when keys of this address are checked again (ms since the epoch); undefined when it is not locked. A client
 * that repeats one wrong key is not locked out: only different ones, as in guessing, lock the address.
 */
export function lockedUntil(tries: KeyAttempts, now: number): number | undefined {
  const { keys } = recent(tries, now);
  return keys.size < MOST_WRONG ? undefined : Math.min(...keys.values()) + WINDOW_MS;
}

/** The result of a wrong key. `until` is set when the answer does not say whether the key was wrong. */
export interface WrongKeyResult {
  readonly attempts: KeyAttempts;
  readonly until?: number;
}

/** Records a wrong key. `key` identifies it and is not the key itself. Total. */
export function recordWrongKey(before: KeyAttempts, key: string, now: number): WrongKeyResult {
  const { answered, keys } = recent(before, now);
  // A lock ends at the announced time, whatever is attempted meanwhile.
  const locked = lockedUntil({ answered, keys }, now);
  if (locked !== undefined) return { attempts: { answered, keys }, until: locked };
  const seen = new Map(keys).set(key, now);
  const [oldest] = answered;
  if (oldest === undefined || answered.length < MOST_WRONG)
    return { attempts: { answered: [...answered, now], keys: seen } };
  const until = oldest + WINDOW_MS;
  return {
    attempts: { answered, keys: seen },
    until: Math.max(until, lockedUntil({ answered, keys: seen }, now) ?? until),
  };
}

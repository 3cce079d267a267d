import { createHash } from "node:crypto";
import { judgeWrong, lockedUntil, NO_TRIES, type Tries } from "../rules/http/guesses.ts";

/** Addresses that are remembered, those that failed last: about 2 kB each at most. */
const ADDRESSES = 5_000;

/** Counts wrong keys by the address that they come from. */
export interface Guesses {
  /** Seconds until a key of this address is looked at; undefined when it is. */
  locked(address: string): number | undefined;
  /** Notes a wrong key. Seconds to wait when the address has shown too many, undefined when it may be told. */
  wrong(address: string, key: string): number | undefined;
}

export function createGuesses(clock: { now(): number }, most = ADDRESSES): Guesses {
  const known = new Map<string, Tries>();
  const secondsTo = (until: number | undefined): number | undefined =>
    until === undefined ? undefined : Math.max(1, Math.ceil((until - clock.now()) / 1000));
  return {
    locked: (address) => secondsTo(lockedUntil(known.get(address) ?? NO_TRIES, clock.now())),
    wrong(address, key) {
      const { tries, until } = judgeWrong(known.get(address) ?? NO_TRIES, digestOf(key), clock.now());
      known.delete(address);
      known.set(address, tries);
      const oldest = known.size > most ? known.keys().next() : undefined;
      if (oldest?.done === false) known.delete(oldest.value);
      return secondsTo(until);
    },
  };
}

/** A wrong key may be nearly right, or right elsewhere: it is not kept. */
function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 22);
}

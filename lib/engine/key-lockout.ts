import { createHash } from "node:crypto";
import { recordWrongKey, lockedUntil, NO_ATTEMPTS, type KeyAttempts } from "../rules/http/key-lockout.ts";

/** Addresses that are remembered, those that failed last: about 2 kB each at most. */
const ADDRESSES = 5_000;

/** Counts wrong keys by the address that they come from. */
export interface KeyLockout {
  /** Seconds until a key of this address is looked at; undefined when it is. */
  secondsLocked(address: string): number | undefined;
  /** Notes a wrong key. Seconds to wait when the address has shown too many, undefined when it may be told. */
  recordWrongKey(address: string, key: string): number | undefined;
}

export function createKeyLockout(clock: { now(): number }, most = ADDRESSES): KeyLockout {
  const known = new Map<string, KeyAttempts>();
  const secondsTo = (until: number | undefined): number | undefined =>
    until === undefined ? undefined : Math.max(1, Math.ceil((until - clock.now()) / 1000));
  return {
    secondsLocked: (address) => secondsTo(lockedUntil(known.get(address) ?? NO_ATTEMPTS, clock.now())),
    recordWrongKey(address, key) {
      const { attempts, until } = recordWrongKey(known.get(address) ?? NO_ATTEMPTS, digestOf(key), clock.now());
      known.delete(address);
      known.set(address, attempts);
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

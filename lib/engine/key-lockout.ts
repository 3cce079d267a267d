import { createHash } from "node:crypto";
import { recordWrongKey, lockedUntil, NO_ATTEMPTS, type KeyAttempts } from "../rules/http/key-lockout.ts";
import { setNewest } from "../rules/set-newest.ts";

/** The number of addresses kept, those with the latest failures. One takes at most about 2 kB. */
const ADDRESSES = 5_000;

/** Counts wrong keys by the address that they come from, and locks addresses. */
export interface KeyLockout {
  /** Returns the seconds until keys of this address are checked again; undefined when it is not locked. */
  secondsLocked(address: string): number | undefined;
  /** Counts a wrong key. Returns the seconds to wait; undefined when the answer may say that the key was wrong. */
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
      setNewest(known, address, attempts, most);
      return secondsTo(until);
    },
  };
}

/** The key itself is not kept, because it may be nearly right, or right elsewhere. */
function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 22);
}

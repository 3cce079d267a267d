import { setNewest } from "../rules/set-newest.ts";

/** Dates of this many cards are kept: one for each assistant in each form of its address. */
const KEPT = 1000;

const made = new Map<string, { etag: string; second: number }>();

/**
 * Returns the second since when a card has been as it is, as far as this server knows: the time at which it was first
 * made after a different card at the same address, rounded up. No response shows a second that is still to come, so an
 * older card always has an earlier date, however fast the next one follows. After a restart, or when an entry was
 * dropped, the date begins anew, which costs one more full response.
 */
export function cardSecond(address: string, etag: string, now: number): number {
  const before = made.get(address);
  const entry = before?.etag === etag ? before : { etag, second: Math.floor(now / 1000) + 1 };
  setNewest(made, address, entry, KEPT);
  return entry.second;
}

/** Parses an HTTP date into seconds since the epoch. An invalid date gives undefined: the header is then ignored. */
export function httpSecond(date: string | null): number | undefined {
  const isDate = date !== null && /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(date);
  const time = isDate ? Date.parse(date) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / 1000;
}

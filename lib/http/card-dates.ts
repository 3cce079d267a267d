/** Cards whose dates are kept: one for each assistant in each form of its address. */
const KEPT = 1000;

const made = new Map<string, { etag: string; second: number }>();

/**
 * The second from which on a card has been as it is, as far as this server knows: when it was first made after another
 * one at the same address, rounded up. No answer tells a second that is still to come, so whoever holds an older card
 * holds an earlier date, however fast one follows the other. A server that starts, or has forgotten, begins anew, which
 * only costs one more answer.
 */
export function cardSecond(address: string, etag: string, now: number): number {
  const before = made.get(address);
  const entry = before?.etag === etag ? before : { etag, second: Math.floor(now / 1000) + 1 };
  made.delete(address);
  made.set(address, entry);
  const [oldest] = made.keys();
  if (made.size > KEPT && oldest !== undefined) made.delete(oldest);
  return entry.second;
}

/** A date of HTTP in seconds; undefined for what is none, and then the header counts as not sent. */
export function httpSecond(date: string | null): number | undefined {
  const isDate = date !== null && /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(date);
  const time = isDate ? Date.parse(date) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / 1000;
}

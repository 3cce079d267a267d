/** Sessions of the console: the cookies that may hold one, and the time for which it lasts. */
import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from "../../protocol/session.ts";

const HOUR_MS = 3_600_000;

/** A session ends after this long without a request. */
export const IDLE_MS = 12 * HOUR_MS;
/** It ends this long after the sign-in at the latest. */
export const LONGEST_MS = 7 * 24 * HOUR_MS;

/** Both in ms since the epoch. */
export interface SessionTimes {
  readonly created_at: number;
  readonly last_used: number;
}

export function isAlive({ created_at, last_used }: SessionTimes, now: number): boolean {
  return now - created_at < LONGEST_MS && now - last_used < IDLE_MS;
}

/** Returns the limits of expired sessions: those created before `createdBefore` or last used before `usedBefore`. */
export function expiryLimits(now: number): { createdBefore: number; usedBefore: number } {
  return { createdBefore: now - LONGEST_MS, usedBefore: now - IDLE_MS };
}

/** 256 bits as base64url. */
const SESSION_ID = /^[\w-]{43}$/;

/** The number of cookies of this name that are checked; no browser has reason to send more. */
const MOST_COOKIES = 64;

export const cookieNameOf = (secure: boolean): string => (secure ? SECURE_SESSION_COOKIE : SESSION_COOKIE);

/**
 * Returns the session ids that a `Cookie` header may hold. Over http a page of a sibling host can set a cookie of this
 * name before or after the real one, so all are checked and any valid session counts. Over https only the name counts
 * that no other host can set. Total.
 */
export function sessionIds(header: string | null, secure: boolean): string[] {
  const wanted = cookieNameOf(secure);
  const values = cookiesOf(header ?? "").flatMap(({ name, value }) => (name === wanted ? [value] : []));
  return [...new Set(values.filter((value) => SESSION_ID.test(value)))].slice(0, MOST_COOKIES);
}

/** Returns the `Cookie` header without session cookies of either name; empty when nothing is left. Total. */
export function withoutSessions(header: string): string {
  return cookiesOf(header)
    .filter(({ name }) => name !== SESSION_COOKIE && name !== SECURE_SESSION_COOKIE)
    .map(({ text }) => text)
    .join("; ");
}

function cookiesOf(header: string): { name: string; value: string; text: string }[] {
  const texts = header.split(";").map((text) => text.trim());
  return texts
    .filter((text) => text !== "")
    .map((text) => {
      const equals = text.indexOf("=");
      // A text without an equals sign is a cookie that has no name.
      if (equals < 0) return { name: "", value: text, text };
      return { name: text.slice(0, equals).trim(), value: text.slice(equals + 1).trim(), text };
    });
}

/**
 * Returns whether a session counts for a request for a page, or for a form action on it: the address was typed in
 * (`none`), or a page of this origin leads here. Browsers send no `Sec-Fetch-Site` to plain http addresses except those
 * of this machine; SameSite=Strict alone protects there.
 */
export function countsForPage(site: string | null): boolean {
  return site === null || site === "same-origin" || site === "none";
}

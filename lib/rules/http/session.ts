/** Sessions of the console: which cookies may be one, and how long one lasts. */
import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from "../../protocol/session.ts";

const HOUR_MS = 3_600_000;

/** A session ends when nothing was asked for with it for this long. */
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

/** Sessions that began before `createdBefore`, or were last used before `usedBefore`, are over. */
export function overBefore(now: number): { createdBefore: number; usedBefore: number } {
  return { createdBefore: now - LONGEST_MS, usedBefore: now - IDLE_MS };
}

/** 256 bits as base64url. */
const SESSION_ID = /^[\w-]{43}$/;

/** More cookies of this name than a browser has reason to send are not looked at. */
const MOST_COOKIES = 64;

export const cookieNameOf = (secure: boolean): string => (secure ? SECURE_SESSION_COOKIE : SESSION_COOKIE);

/**
 * The ids of sessions that a `Cookie` header may hold. By http a page of a sibling host can set a cookie of this name
 * beside the real one, before or behind it: so all are looked at, and any that is a session counts. By https only the
 * name counts that no other host can set. Total.
 */
export function sessionIds(header: string | null, secure: boolean): string[] {
  const wanted = cookieNameOf(secure);
  const values = cookiesOf(header ?? "").flatMap(({ name, value }) => (name === wanted ? [value] : []));
  return [...new Set(values.filter((value) => SESSION_ID.test(value)))].slice(0, MOST_COOKIES);
}

/** The `Cookie` header without those of a session, under either name; empty when nothing is left. Total. */
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
      // Without an equals sign a browser has sent a cookie that has no name.
      if (equals < 0) return { name: "", value: text, text };
      return { name: text.slice(0, equals).trim(), value: text.slice(equals + 1).trim(), text };
    });
}

/**
 * Whether a session counts for a page that is asked for, or for what a form of it does: its address was typed in
 * (`none`), or a page of this origin leads here. Browsers say nothing at addresses of plain http but this machine's;
 * SameSite=Strict holds there alone.
 */
export function countsForPage(site: string | null): boolean {
  return site === null || site === "same-origin" || site === "none";
}

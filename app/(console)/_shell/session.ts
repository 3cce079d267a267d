import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { running } from "#lib/platform.ts";
import { ADDRESS_HEADER, ofForeignPages, UNKNOWN_ADDRESS } from "#lib/rules/http/caller-address.ts";
import { isSecure } from "#lib/rules/http/public-url.ts";
import { cookieNameOf, countsForPage, LONGEST_MS, sessionIds } from "#lib/rules/http/session.ts";

/** Returns whether this visitor may see the console: everybody, unless the server has an API key to sign in with. */
export async function isSignedIn(): Promise<boolean> {
  return running().settings.apiKey === undefined || (await hasSession());
}

/** Returns whether this visitor has a session from the code of a console without an API key. */
export async function hasCodeSession(): Promise<boolean> {
  return running().settings.consoleKey !== undefined && (await hasSession());
}

async function hasSession(): Promise<boolean> {
  return (await running().settings.sessions.find(await sentSessionIds())) !== undefined;
}

async function sentSessionIds(): Promise<string[]> {
  const sent = await headers();
  if (!countsForPage(sent.get("sec-fetch-site"))) return [];
  return sessionIds(sent.get("cookie"), isSecure(sent, running().settings));
}

/** Redirects a visitor without a session to the sign-in page, which leads back to `path`. */
export async function requireSession(path: string): Promise<void> {
  if (!(await isSignedIn())) redirect(`/sign-in?next=${encodeURIComponent(path)}`);
}

/** The outcome of a sign-in. `retryAfter` (seconds) is set when too many wrong keys came from the visitor's address. */
export type SignIn = { result: "started" | "wrong" } | { result: "locked"; retryAfter: number };

/**
 * Starts a session (lib/engine/sessions.ts) for a visitor who gives the server's key or, on a server without one, the
 * console's code.
 */
export async function startSession(given: string): Promise<SignIn> {
  const { apiKey, consoleKey, keyLockout, sessions } = running().settings;
  const sent = await headers();
  const from = sent.get(ADDRESS_HEADER) ?? UNKNOWN_ADDRESS;
  const address = countsForPage(sent.get("sec-fetch-site")) ? from : ofForeignPages(from);
  const isRight = (apiKey ?? consoleKey)?.matches(given) === true;
  const retryAfter = isRight ? keyLockout.secondsLocked(address) : keyLockout.recordWrongKey(address, given);
  if (retryAfter !== undefined) return { result: "locked", retryAfter };
  if (!isRight) return { result: "wrong" };
  // A browser has one session, so the previous one ends.
  await sessions.end(await sentSessionIds());
  await setCookie(await sessions.start(), LONGEST_MS / 1000);
  return { result: "started" };
}

/** Ends the session of this browser. With `all`, a signed-in browser ends the sessions of all browsers. */
export async function endSession(which: "this" | "all"): Promise<void> {
  const { sessions } = running().settings;
  if (which === "all" && (await hasSession())) await sessions.endAll();
  else await sessions.end(await sentSessionIds());
  await setCookie("", 0);
}

/** Sets the host-only session cookie. To delete a `__Host-` cookie, browsers require the same attributes. */
async function setCookie(value: string, maxAge: number): Promise<void> {
  const secure = isSecure(await headers(), running().settings);
  (await cookies()).set(cookieNameOf(secure), value, {
    httpOnly: true,
    sameSite: "strict",
    path: "/",
    secure,
    maxAge,
  });
}

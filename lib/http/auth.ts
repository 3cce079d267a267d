import type { Deployment } from "../engine/ports/ports.ts";
import { Fault, isFault } from "../protocol/faults.ts";
import { CALLER_HEADER } from "../protocol/session.ts";
import { PASS_HEADER } from "../protocol/worker.ts";
import { ADDRESS_HEADER, ofForeignPages, UNKNOWN_ADDRESS } from "../rules/http/caller-address.ts";
import { isForeign } from "../rules/http/origins.ts";
import { isSecure } from "../rules/http/public-url.ts";
import { sessionIds, withoutSessions } from "../rules/http/session.ts";
import type { HttpSettings } from "./settings.ts";

/**
 * Who holds a key: the operator of the server, the code of the deployment that is called, or the console of a server
 * without key, whose visitor has shown its code. `locked` has shown the server's key after so many wrong ones came from
 * its address that none is looked at any more.
 */
export type KeyHolder = "operator" | "code" | "console" | "locked";

export interface RequestCaller {
  /** None for a request without key, or with a wrong one. */
  readonly holder?: KeyHolder;
  /** The session of the console by which it holds the key. */
  readonly session?: string;
}

/** Who sent a request. Rejects when sessions can't be read. */
export async function callerOf(
  request: Request,
  settings: HttpSettings,
  pass?: Deployment["pass"],
): Promise<RequestCaller> {
  const { headers } = request;
  const { apiKey, keyLockout } = settings;
  const shown = headers.get(PASS_HEADER);
  if (shown !== null && pass?.matches(shown) === true) return { holder: "code" };
  const given = apiKey && keyOf(headers);
  if (given !== undefined) {
    if (!apiKey?.matches(given)) return {};
    return { holder: keyLockout.secondsLocked(addressOf(headers, settings)) === undefined ? "operator" : "locked" };
  }
  const session = await sessionOf(request, settings);
  return session === undefined ? {} : { holder: apiKey ? "operator" : "console", session };
}

/**
 * Faults: `unauthorized` where there is a key, and the request comes from nobody who holds one; `too_many` when its
 * address has shown too many wrong keys, then for the right one as well: the answer tells nothing of the key.
 */
export function requireKey({ headers }: Request, settings: HttpSettings, holder: KeyHolder | undefined): void {
  const { apiKey, keyLockout } = settings;
  if (!apiKey || (holder !== undefined && holder !== "locked")) return;
  const given = keyOf(headers);
  if (given === undefined) throw new Fault("unauthorized", "Missing API key: send it as x-api-key");
  const address = addressOf(headers, settings);
  const seconds =
    holder === "locked" ? (keyLockout.secondsLocked(address) ?? 1) : keyLockout.recordWrongKey(address, given);
  throw seconds === undefined ? new Fault("unauthorized", "Invalid API key") : tooManyKeys(seconds);
}

/**
 * Asks an application who is calling. What it refuses may be a guess at the server's key, which would open it as well:
 * it counts as a wrong one, and is answered as by the server where the right one would be. Faults: as `ask`; `too_many`.
 */
export async function withGuessLimit<T>(
  { headers }: Request,
  settings: HttpSettings,
  holder: KeyHolder | undefined,
  ask: () => Promise<T>,
): Promise<T> {
  const { apiKey, keyLockout } = settings;
  const given = apiKey && keyOf(headers);
  if (given === undefined) return await ask();
  const address = addressOf(headers, settings);
  const seconds = keyLockout.secondsLocked(address);
  try {
    const answer = await ask();
    if (holder !== "locked") return answer;
  } catch (thrown) {
    if (isFault(thrown)) throw thrown;
    if (holder !== "locked") keyLockout.recordWrongKey(address, given);
    if (seconds === undefined) throw thrown;
  }
  throw tooManyKeys(seconds ?? 1);
}

/** One message for all of them. */
function tooManyKeys(seconds: number): Fault {
  return new Fault("too_many", `Too many wrong keys from this address: try again in ${seconds} s`, {
    retryAfter: seconds,
  });
}

/** The headers without what proves the server's key: the application's code is never shown it. */
export function withoutKey(headers: Headers, apiKey: HttpSettings["apiKey"]): [string, string][] {
  const kept = new Headers([...headers].filter(([name]) => !name.startsWith("x-graphlib-")));
  for (const name of ["x-api-key", "authorization"]) {
    if (apiKey && holdsKey(kept.get(name) ?? "", apiKey)) kept.delete(name);
  }
  const cookies = withoutSessions(kept.get("cookie") ?? "");
  if (cookies === "") kept.delete("cookie");
  else kept.set("cookie", cookies);
  return [...kept];
}

/** Parts of a header that are compared with the key. */
const PARTS = 32;

/** Also in a header that was sent twice, which is one with a comma, or behind another scheme than Bearer. */
function holdsKey(value: string, apiKey: NonNullable<HttpSettings["apiKey"]>): boolean {
  const parts = [value, ...value.split(",")].map((part) => part.trim());
  if (parts.length > PARTS) return true;
  return parts.some((part) => apiKey.matches(part) || apiKey.matches(part.replace(/^\S+\s+/, "")));
}

/** `x-api-key`, or a bearer token. */
function keyOf(headers: Headers): string | undefined {
  return headers.get("x-api-key") ?? bearerOf(headers.get("authorization") ?? "");
}

function bearerOf(authorization: string): string | undefined {
  return /^bearer\s+(.+)$/i.exec(authorization)?.[1];
}

function addressOf(headers: Headers, { publicUrl }: Pick<HttpSettings, "publicUrl">): string {
  const address = headers.get(ADDRESS_HEADER) ?? UNKNOWN_ADDRESS;
  const sender = { host: headers.get("host"), origin: headers.get("origin"), site: headers.get("sec-fetch-site") };
  return isForeign(sender, publicUrl) ? ofForeignPages(address) : address;
}

/**
 * The session that a request of the signed-in console brings. Its cookie counts only for requests that the browser
 * itself marks as made by a page of this origin, so no other site can spend it.
 */
async function sessionOf(request: Request, settings: HttpSettings): Promise<string | undefined> {
  if (!isOfConsole(request)) return undefined;
  const { headers } = request;
  return await settings.sessions.find(sessionIds(headers.get("cookie"), isSecure(headers, settings)));
}

/** Whether a page of this origin sent it, and without credentials of its own. */
export function isOfConsole({ headers }: Request): boolean {
  return headers.get("sec-fetch-site") === "same-origin" && !headers.has(CALLER_HEADER);
}

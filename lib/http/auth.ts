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
 * The holder of a key: the operator of the server, the code of the called deployment, or the console of a server without
 * a key, whose visitor has entered its code. `locked` means that the server's key is right, but too many wrong keys came
 * from the same address, so that no key from there counts.
 */
export type KeyHolder = "operator" | "code" | "console" | "locked";

export interface RequestCaller {
  /** Absent for a request without a key, or with a wrong one. */
  readonly holder?: KeyHolder;
  /** The session of the console that stands for the key. */
  readonly session?: string;
}

/** Finds out who sent a request. Rejects when sessions can't be read. */
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
 * Faults: `unauthorized` if the server has a key and the caller holds none; `too_many` if too many wrong keys came from
 * the caller's address. The right key then gets `too_many` as well, so that the answer reveals nothing about it.
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
 * Asks an application who is calling. A credential that it refuses may be a guess at the server's key, which the server
 * accepts too. So it counts as a wrong key, and while the address is locked the answer is the server's. Faults: those of
 * `ask`; `too_many`.
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

/** A right and a wrong key get the same message. */
function tooManyKeys(seconds: number): Fault {
  return new Fault("too_many", `Too many wrong keys from this address: try again in ${seconds} s`, {
    retryAfter: seconds,
  });
}

/** Returns the headers without the server's key and its sessions, which the application's code must never see. */
export function withoutKey(headers: Headers, apiKey: HttpSettings["apiKey"]): [string, string][] {
  const kept: [string, string][] = [];
  for (const [name, value] of headers) {
    if (name.startsWith("x-graphlib-")) continue;
    if (apiKey && OF_CREDENTIALS.has(name) && holdsKey(value, apiKey)) continue;
    const shown = name === "cookie" ? withoutSessions(value) : value;
    if (shown !== "" || name !== "cookie") kept.push([name, shown]);
  }
  return kept;
}

/** Headers in which the server's key may come. */
const OF_CREDENTIALS = new Set(["x-api-key", "authorization"]);

/** At most this many parts of a header are compared with the key; one with more counts as holding it. */
const PARTS = 32;

/** Finds the key also in a header that was sent twice, which arrives joined by a comma, and behind any scheme. */
function holdsKey(value: string, apiKey: NonNullable<HttpSettings["apiKey"]>): boolean {
  const parts = [value, ...value.split(",")].map((part) => part.trim());
  if (parts.length > PARTS) return true;
  return parts.some((part) => apiKey.matches(part) || apiKey.matches(part.replace(/^\S+\s+/, "")));
}

/** Returns the value of `x-api-key`, or else a bearer token. */
function keyOf(headers: Headers): string | undefined {
  return headers.get("x-api-key") ?? /^bearer\s+(.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
}

function addressOf(headers: Headers, { publicUrl }: Pick<HttpSettings, "publicUrl">): string {
  const address = headers.get(ADDRESS_HEADER) ?? UNKNOWN_ADDRESS;
  const sender = { host: headers.get("host"), origin: headers.get("origin"), site: headers.get("sec-fetch-site") };
  return isForeign(sender, publicUrl) ? ofForeignPages(address) : address;
}

/**
 * Returns the session that a request of the signed-in console has. Its cookie counts only for requests that the browser
 * marks as made by a page of this origin, so no other site can use it.
 */
async function sessionOf(request: Request, settings: HttpSettings): Promise<string | undefined> {
  if (!isOfConsole(request)) return undefined;
  const { headers } = request;
  return await settings.sessions.find(sessionIds(headers.get("cookie"), isSecure(headers, settings)));
}

/** Returns whether a page of this origin sent the request, without credentials that a developer gave it. */
export function isOfConsole({ headers }: Request): boolean {
  return headers.get("sec-fetch-site") === "same-origin" && !headers.has(CALLER_HEADER);
}

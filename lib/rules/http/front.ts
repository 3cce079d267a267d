/** What the server decides about a request before anything of the platform or of Next sees it. */
import { deploymentOf, isKnownHost } from "./hosts.ts";
import { isForeign } from "./origins.ts";

/** A request as it arrived. Names of headers are in lower case. */
export interface Arrival {
  readonly method: string;
  /** As it stands in the first line: a path, or a whole address. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The host that a request is for, and the path with its query. */
export interface Target {
  readonly host: string | undefined;
  readonly path: string;
}

/** Why a request goes no further. */
export interface Turned {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Surroundings {
  /** Callers have to show a key. */
  readonly keyed: boolean;
  readonly publicUrl: string | undefined;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** A segment that a browser, and Next, would resolve, or a backslash that they take for a slash. */
const BENT = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * What a request asks for, with the path as a browser resolves it, so that whoever reads it later finds the same path.
 * A whole address counts in place of the Host header (RFC 9112, 3.2.2). Undefined for what is no address. Total.
 */
export function readTarget({ target, headers }: Pick<Arrival, "target" | "headers">): Target | undefined {
  if (target.startsWith("/")) return { host: one(headers.host), path: straight(target) };
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const { host, pathname, search } = new URL(target);
  return { host, path: pathname + search };
}

function straight(target: string): string {
  const path = target.split(/[?#]/, 1)[0] ?? "";
  if (!BENT.test(path)) return target;
  const { pathname, search } = new URL(`http://localhost${target}`);
  return pathname + search;
}

/**
 * Why a request goes no further; undefined when it does. `target` is what `readTarget` has found. Total.
 *
 * Without a key, this machine's user is who may call: a page elsewhere must not reach the server by a name of its own
 * that leads here (DNS rebinding). With one, nothing but the key lets anybody in, whatever the server is called.
 */
export function turnAway(
  { method, headers }: Arrival,
  target: Target | undefined,
  { keyed, publicUrl }: Surroundings,
): Turned | undefined {
  if (!METHODS.includes(method)) {
    return { status: 405, message: `This server has no use for ${method}`, headers: { allow: METHODS.join(", ") } };
  }
  if (!target) return { status: 400, message: "Expected a path, or an address that begins with http:// or https://" };
  // No browser leaves it out; programs that ask whether the server is there do.
  const isKnown = headers.host === undefined || isKnownHost(target.host, publicUrl);
  if (!keyed && !isKnown) return { status: 421, message: foreignName(target.host) };
  if (one(headers["service-worker"]) !== undefined && deploymentOf(target.host, publicUrl) === undefined) {
    return { status: 403, message: "A service worker is served only at its deployment's own origin" };
  }
  return undefined;
}

function foreignName(host = ""): string {
  const name = JSON.stringify(host.slice(0, 100));
  return `This server does not go by the name ${name}: set PUBLIC_URL to the address that it is reached at and let a proxy pass the Host header on, or set GRAPHLIB_API_KEY`;
}

/** Largest body of a request for a page. Next would read 1 MB of each, without a key, and of any number at a time. */
const PAGE_BODY_BYTES = 64 * 1024;

/**
 * Why a request for a page of the console, or a file of one, goes no further. A body has a length, and a small one. A page of another origin, also that of a
 * deployment beside the console, may lead to a page of the console and nothing else: it calls none of its actions, and
 * loads no page or file of it. Total.
 */
export function turnAwayFromPage(
  { method, headers }: Pick<Arrival, "method" | "headers">,
  publicUrl: string | undefined,
): Turned | undefined {
  const length = Number(one(headers["content-length"]) ?? 0);
  if (length > PAGE_BODY_BYTES) return { status: 413, message: "Pages take no body of this size" };
  if (headers["transfer-encoding"] !== undefined) {
    return { status: 411, message: "Pages take no body without a content-length" };
  }
  const isReading = method === "GET" || method === "HEAD";
  const isLink = one(headers["sec-fetch-mode"]) === "navigate" && one(headers["sec-fetch-dest"]) === "document";
  if (isReading && isLink) return undefined;
  const sender = { host: one(headers.host), origin: one(headers.origin), site: one(headers["sec-fetch-site"]) };
  if (!isForeign(sender, publicUrl)) return undefined;
  return { status: 403, message: "Pages of other origins may not do this" };
}

function one(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}

/** Whether somebody wants to go on by WebSocket. What else can be offered as an upgrade may be passed over. */
export function isWebSocket(headers: Arrival["headers"]): boolean {
  return /(?:^|,)\s*websocket\s*(?:[,/]|$)/i.test(one(headers.upgrade) ?? "");
}

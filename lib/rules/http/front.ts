/** Checks that the server makes on a request before the platform or Next handles it. */
import { deploymentOf, isKnownHost } from "./hosts.ts";
import { isForeign } from "./origins.ts";

/** A request as it arrived. Header names are in lower case. */
export interface Arrival {
  readonly method: string;
  /** The request target of the first line: a path or an absolute URL. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The host that a request is for, and the path with its query. */
export interface RequestTarget {
  readonly host: string | undefined;
  readonly path: string;
}

/** The answer to a request that is refused. */
export interface Rejection {
  readonly status: number;
  readonly message: string;
  /** The title of a page with the message, for browsers. Without it, they get the message as text as well. */
  readonly title?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface FrontSettings {
  /** Callers have to show a key. */
  readonly keyed: boolean;
  readonly publicUrl: string | undefined;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** Matches a dot segment, which browsers and Next resolve, or a backslash, which they take for a slash. */
const BENT = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Returns the target of a request, with its path resolved as a browser does, so that all later readers see the same
 * path. The host of an absolute URL replaces the Host header (RFC 9112, 3.2.2). Undefined for an invalid target. Total.
 */
export function readTarget({ target, headers }: Pick<Arrival, "target" | "headers">): RequestTarget | undefined {
  if (target.startsWith("/")) return { host: one(headers.host), path: straight(target) };
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return undefined;
  const { host, pathname, search } = new URL(target);
  return { host, path: pathname + search };
}

function straight(target: string): string {
  if (!BENT.test(pathOf(target))) return target;
  const { pathname, search } = new URL(`http://localhost${target}`);
  return pathname + search;
}

function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? "";
}

/** Next answers 500 for a path that it cannot decode. */
function isEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns why a request is refused; undefined when it is not. `target` is the result of `readTarget`. Total.
 *
 * If the server has no key, only users of this machine may call: a page of another site must not reach the server by a
 * host name that it points here (DNS rebinding). If the server has a key, only the key gives access, whatever the host
 * name is.
 */
export function rejectRequest(
  { method, headers }: Arrival,
  target: RequestTarget | undefined,
  { keyed, publicUrl }: FrontSettings,
): Rejection | undefined {
  if (!METHODS.includes(method)) {
    return { status: 405, message: `This server has no use for ${method}`, headers: { allow: METHODS.join(", ") } };
  }
  if (!target) return { status: 400, message: "Expected a path, or an address that begins with http:// or https://" };
  // Browsers always send it. Programs that check whether the server is up may leave it out.
  const isKnown = headers.host === undefined || isKnownHost(target.host, publicUrl);
  if (!keyed && !isKnown) return { status: 421, message: foreignName(target.host) };
  if (!isEncoded(pathOf(target.path))) {
    const message = "The path has a % that begins no encoded character: write it as %25";
    return { status: 400, message, title: "This address cannot be read" };
  }
  if (one(headers["service-worker"]) !== undefined && deploymentOf(target.host, publicUrl) === undefined) {
    return { status: 403, message: "A service worker is served only at its deployment's own origin" };
  }
  return undefined;
}

/** Returns whether a request is that of a browser that shows the answer as a page. Total. */
export function wantsPage({ method, headers }: Pick<Arrival, "method" | "headers">): boolean {
  return (
    (method === "GET" || method === "HEAD") && /(?:^|,)\s*text\/html\s*(?:[,;]|$)/i.test(one(headers.accept) ?? "")
  );
}

function foreignName(host = ""): string {
  const name = JSON.stringify(host.slice(0, 100));
  return `This server does not go by the name ${name}: set PUBLIC_URL to the address that it is reached at and let a proxy pass the Host header on, or set GRAPHLIB_API_KEY`;
}

/** Largest body of a request for a page. Next would read 1 MB of each without a key, and of any number at a time. */
const PAGE_BODY_BYTES = 64 * 1024;

/**
 * Returns why a request for a page or a file of the console is refused; undefined when it is not. A body must have a
 * length, and a small one. A page of another origin, including that of a deployment, may link to a page of the console.
 * It may neither call actions of the console nor load its pages and files. Total.
 */
export function rejectPageRequest(
  { method, headers }: Pick<Arrival, "method" | "headers">,
  publicUrl: string | undefined,
): Rejection | undefined {
  const length = Number(one(headers["content-length"]) ?? 0);
  if (length > PAGE_BODY_BYTES) return { status: 413, message: "Pages accept no body of this size" };
  if (headers["transfer-encoding"] !== undefined) {
    return { status: 411, message: "Pages accept no body without a content-length" };
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

/** Returns whether a request asks for an upgrade to WebSocket. Other upgrades may be ignored. */
export function isWebSocket(headers: Arrival["headers"]): boolean {
  return /(?:^|,)\s*websocket\s*(?:[,/]|$)/i.test(one(headers.upgrade) ?? "");
}

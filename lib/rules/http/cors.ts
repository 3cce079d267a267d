import type { CorsConfig } from "../../protocol/http-config.ts";
import { type Pattern, type PatternProblem, readPattern } from "../text/pattern.ts";

/** Response headers that clients need in a browser, in addition to those that an application exposes. */
const EXPOSED = [
  "content-location",
  "location",
  "x-pagination-total",
  "x-pagination-next",
  "x-pagination-cursor",
  "x-request-id",
];
const METHODS = ["GET", "HEAD", "PUT", "POST", "DELETE", "PATCH", "OPTIONS"];
const MAX_AGE = 600;
/** Longer origins are refused, so that matching an application's pattern stays cheap. */
const LONGEST_ORIGIN = 300;

type CorsHeaders = Record<string, string>;

/** Returns whether a page of this origin may call when the configuration names no origins. */
export type OriginDefault = (origin: string) => boolean;

/**
 * Returns the CORS headers of an answer to a page of this origin; null where the request has none. If the configuration
 * names no origins, `byDefault` decides. Without it any page may call: then the key guards the API, and no browser adds
 * that by itself. Credentials need named origins, because with `*` any site could use them.
 */
export function corsHeaders(
  cors: CorsConfig | undefined,
  origin: string | null,
  byDefault?: OriginDefault,
): CorsHeaders {
  const exposed = [...new Set([...EXPOSED, ...(cors?.expose_headers ?? [])])].join(", ");
  if (isForAll(cors, byDefault)) {
    return { "access-control-allow-origin": "*", "access-control-expose-headers": exposed };
  }
  if (origin === null || !allowsOrigin(cors, origin, byDefault)) return { vary: "Origin" };
  return {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": exposed,
    ...(namesOrigins(cors) && cors?.allow_credentials === true && { "access-control-allow-credentials": "true" }),
  };
}

/** Returns the headers of the answer to a CORS preflight. `requested` are the headers that it asks for. */
export function preflightHeaders(
  cors: CorsConfig | undefined,
  origin: string | null,
  requested: string | null,
  byDefault?: OriginDefault,
): CorsHeaders {
  const headers = corsHeaders(cors, origin, byDefault);
  if (headers["access-control-allow-origin"] === undefined) return headers;
  const named = cors?.allow_headers?.includes("*") === true ? undefined : cors?.allow_headers;
  return {
    ...headers,
    "access-control-allow-methods": listOf(cors?.allow_methods, METHODS),
    "access-control-allow-headers": named?.join(",") ?? requested ?? "*",
    "access-control-max-age": String(cors?.max_age ?? MAX_AGE),
  };
}

function listOf(named: readonly string[] | undefined, all: readonly string[]): string {
  return (named === undefined || named.includes("*") ? all : named).join(",");
}

/** Returns whether a page of this origin may call. */
export function allowsOrigin(cors: CorsConfig | undefined, origin: string, byDefault?: OriginDefault): boolean {
  if (isForAll(cors, byDefault)) return true;
  if (!namesOrigins(cors)) return byDefault?.(origin) ?? false;
  return isNamed(cors ?? {}, origin);
}

function namesOrigins(cors: CorsConfig | undefined): boolean {
  return cors?.allow_origin_regex !== undefined || cors?.allow_origins !== undefined;
}

function isForAll(cors: CorsConfig | undefined, byDefault: OriginDefault | undefined): boolean {
  if (!namesOrigins(cors)) return byDefault === undefined;
  return cors?.allow_origin_regex === undefined && cors?.allow_origins?.includes("*") === true;
}

function isNamed(cors: CorsConfig, origin: string): boolean {
  if (origin.length > LONGEST_ORIGIN) return false;
  if (cors.allow_origin_regex !== undefined) return matchesPattern(cors, cors.allow_origin_regex, origin);
  return cors.allow_origins?.includes(origin) ?? false;
}

/** Returns why the configured pattern can't be used; undefined when it can. */
export function refusedPattern(cors: CorsConfig | undefined): PatternProblem | undefined {
  if (cors?.allow_origin_regex === undefined) return undefined;
  const read = readPattern(cors.allow_origin_regex);
  return "problem" in read ? read : undefined;
}

/** Compiled patterns, one for each configuration. */
const patterns = new WeakMap<CorsConfig, Pattern | PatternProblem>();

/** Returns whether the origin matches. An invalid pattern matches nothing; no configuration that is served has one. */
function matchesPattern(cors: CorsConfig, source: string, origin: string): boolean {
  const pattern = patterns.get(cors) ?? readPattern(source);
  patterns.set(cors, pattern);
  return "matches" in pattern && pattern.matches(origin);
}

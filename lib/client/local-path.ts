const HERE = "http://here.invalid";

/**
 * A path of this console and nothing else, as a browser resolves it: what comes in an address must not lead to another
 * host. Resolving `/..//host/` leaves `//host/`, which names one.
 */
export function localPath(given: unknown): string {
  if (typeof given !== "string" || !given.startsWith("/") || !URL.canParse(given, HERE)) return "/";
  const { origin, pathname, search, hash } = new URL(given, HERE);
  return origin === HERE && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

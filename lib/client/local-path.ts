const HERE = "http://here.invalid";

/**
 * Returns the path of this console that a browser resolves `given` to, or `/` if it leads anywhere else: a link in an
 * address must not lead to another host. `/..//host/` resolves to `//host/`, which names a host.
 */
export function localPath(given: unknown): string {
  if (typeof given !== "string" || !given.startsWith("/") || !URL.canParse(given, HERE)) return "/";
  const { origin, pathname, search, hash } = new URL(given, HERE);
  return origin === HERE && !pathname.startsWith("//") ? pathname + search + hash : "/";
}

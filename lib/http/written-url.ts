/** Set by `lib/server.ts`, never taken from a client: the path and query as the caller wrote them. */
export const WRITTEN_URL = "x-graphlib-url";

/** The path under which the caller asked, before it was led to its route. */
export function writtenPath(request: Request): string {
  return new URL(request.headers.get(WRITTEN_URL) ?? request.url, "http://localhost").pathname;
}

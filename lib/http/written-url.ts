/** Holds the path and query as the caller wrote them. `lib/server.ts` sets this header; a client's is never used. */
export const WRITTEN_URL = "x-graphlib-url";

/** Returns the path that the caller requested, before the request was routed. */
export function writtenPath(request: Request): string {
  return new URL(request.headers.get(WRITTEN_URL) ?? request.url, "http://localhost").pathname;
}

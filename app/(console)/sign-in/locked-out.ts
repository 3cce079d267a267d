/** Returns the response after too many wrong keys from one address. */
export function lockedOut(retryAfter: number): Response {
  return new Response(`Too many wrong keys from your address. Try again in ${retryAfter} s.`, {
    status: 429,
    headers: { "content-type": "text/plain; charset=utf-8", "retry-after": String(retryAfter) },
  });
}

/** Adds headers to a response. Cookies and `Vary` add up; any other header replaces an earlier one. */
export function withHeaders(response: Response, headers: Iterable<readonly [string, string]>): Response {
  for (const [name, value] of headers) {
    if (name === "set-cookie" || name === "vary") response.headers.append(name, value);
    else response.headers.set(name, value);
  }
  return response;
}

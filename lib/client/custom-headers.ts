/** Checks custom headers that a person typed, and stores them for as long as the tab is open. */
import { headerLines, storageKey } from "./caller.ts";

/** Stores the headers; undefined removes them. Returns false if this browser has no session storage. */
export function storeCustomHeaders(base: string, text: string | undefined): boolean {
  try {
    if (text === undefined) sessionStorage.removeItem(storageKey(base));
    else sessionStorage.setItem(storageKey(base), text);
  } catch {
    return false;
  }
  return true;
}

/** Headers that browsers do not let pages send. */
const FORBIDDEN =
  /^(accept-(charset|encoding)|access-control-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|via)$/i;

/** Returns why text is not one header per line, such as `Authorization: Bearer ...`; undefined if it is. */
export function headersProblem(text: string): string | undefined {
  const lines = headerLines(text);
  for (const [name, value] of lines) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || value === "")
      return `“${name.slice(0, 60)}” is no header: write a name, a colon and a value.`;
    if (FORBIDDEN.test(name)) return `${name} cannot be sent: browsers keep it for themselves.`;
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return `The value of ${name} has characters no header can have.`;
  }
  return lines.length > 0 ? undefined : "Write at least one header.";
}

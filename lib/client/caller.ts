/** Stores custom headers, which are sent with every call of a deployment for as long as the tab is open. */
import { CALLER_HEADER } from "../protocol/session.ts";

export type CustomHeaders = Readonly<Record<string, string>>;

const storageKey = (base: string): string => `graphlib.headers ${base}`;

/** Returns the headers as they were typed; undefined if there are none. `base` is the path of the deployment's API. */
export function customHeadersText(base: string): string | undefined {
  try {
    return sessionStorage.getItem(storageKey(base)) ?? undefined;
  } catch {
    // This is not a browser, or it has no session storage.
    return undefined;
  }
}

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

/**
 * Every call of a deployment's address refuses redirects. The application may answer in place of the API, and a redirect
 * could send this page's session to any path of the server.
 */
export const NO_REDIRECTS: Pick<RequestInit, "redirect"> = { redirect: "error" };

/** Returns the caller's headers for a call of this address. If there are none, the console's session counts. */
export function callerHeaders(url: string): CustomHeaders {
  const base = /^\/agents\/[^/?#]+/.exec(url)?.[0];
  const text = base === undefined ? undefined : customHeadersText(base);
  const read = text === undefined ? undefined : readHeaders(text);
  return read && "headers" in read ? { ...read.headers, [CALLER_HEADER]: "custom" } : {};
}

/** Headers that browsers do not let pages send. */
const FORBIDDEN =
  /^(accept-(charset|encoding)|access-control-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|proxy-.*|referer|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|via)$/i;

/** Parses one header per line, such as `Authorization: Bearer ...`. */
export function readHeaders(text: string): { headers: CustomHeaders } | { problem: string } {
  const headers: Record<string, string> = {};
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    const [, name, value] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*:\s*(.+?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      return { problem: `“${line.trim().slice(0, 60)}” is no header: write a name, a colon and a value.` };
    }
    if (FORBIDDEN.test(name)) return { problem: `${name} cannot be sent: browsers keep it for themselves.` };
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      return { problem: `The value of ${name} has characters no header can have.` };
    headers[name.toLowerCase()] = value;
  }
  return Object.keys(headers).length > 0 ? { headers } : { problem: "Write at least one header." };
}

/** Reads the custom headers that are sent with every call of a deployment for as long as the tab is open. */
import { CALLER_HEADER } from "../protocol/session.ts";

type CustomHeaders = Readonly<Record<string, string>>;

export const storageKey = (base: string): string => `graphlib.headers ${base}`;

/** Returns the headers as they were typed; undefined if there are none. `base` is the path of the deployment's API. */
export function customHeadersText(base: string): string | undefined {
  try {
    return sessionStorage.getItem(storageKey(base)) ?? undefined;
  } catch {
    // This is not a browser, or it has no session storage.
    return undefined;
  }
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
  return text === undefined ? {} : { ...headersIn(text), [CALLER_HEADER]: "custom" };
}

/** Reads headers that were checked before they were stored. Their names are in lower case. */
export const headersIn = (text: string): CustomHeaders =>
  Object.fromEntries(headerLines(text).map(([name, value]) => [name.toLowerCase(), value]));

/** Splits text with one header per line, such as `Authorization: Bearer ...`. */
export function headerLines(text: string): (readonly [name: string, value: string])[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const [name = "", ...value] = line.split(":");
    return [name.trim(), value.join(":").trim()];
  });
}

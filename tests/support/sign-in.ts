import { SIGN_IN } from "../../lib/protocol/session.ts";
import { raw } from "./raw.ts";

/** The header that a browser sends for a request of the console to its own server. */
export const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };

/** Signs in as the form does. Returns the cookie as `name=value`. */
export async function signIn(url: string, key: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await raw(url + SIGN_IN, { body: JSON.stringify({ key }), headers: { ...SAME_ORIGIN, ...headers } });
  const cookie = answer.headers["set-cookie"]?.[0]?.split(";")[0];
  if (answer.status !== 204 || cookie === undefined) throw new Error(`not signed in: ${answer.status} ${answer.text}`);
  return cookie;
}

import { SIGN_OUT } from "../../lib/protocol/session.ts";
import { SAME_ORIGIN } from "./sign-in.ts";

/** Signs out as the button of the sidebar does; with `everywhere`, as the button that ends all sessions. */
export async function signOut(url: string, cookie: string, { everywhere = false } = {}): Promise<Response> {
  return await fetch(url + SIGN_OUT, {
    method: "POST",
    body: new URLSearchParams(everywhere ? { which: "all" } : {}),
    redirect: "manual",
    headers: { cookie, ...SAME_ORIGIN, origin: url },
  });
}

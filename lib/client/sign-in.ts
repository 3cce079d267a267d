import { SIGN_IN } from "../protocol/session.ts";
import { messageOf } from "./refusal.ts";

/** The reason why a sign-in failed. No attempt succeeds before `retryAfter` seconds have passed. */
export interface SignInProblem {
  readonly problem: string;
  readonly retryAfter?: number;
}

/** Signs in with the server's key or the console's code, and receives the cookie. Returns undefined on success. */
export async function signIn(key: string): Promise<SignInProblem | undefined> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(SIGN_IN, { method: "POST", headers, body: JSON.stringify({ key }) }).catch(
    () => undefined,
  );
  if (!answer) return { problem: "The server can't be reached. Is it running?" };
  if (answer.ok) return undefined;
  const retryAfter = Number(answer.headers.get("retry-after"));
  if (answer.status === 429 && retryAfter > 0) {
    return { problem: "Too many wrong keys from your address.", retryAfter };
  }
  return { problem: await messageOf(answer) };
}

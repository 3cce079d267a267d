import { isKeyed } from "../../_shell/server.ts";
import { startSession } from "../../_shell/session.ts";
import { isObject } from "#lib/protocol/json.ts";
import { isJson } from "#lib/rules/http/control-guard.ts";
import { countsForPage } from "#lib/rules/http/session.ts";
import { lockedOut } from "../locked-out.ts";

const LONGEST_KEY = 16_384;

/** Handles the sign-in form, `{"key": "..."}`, and sets the session cookie if the key is right. */
export async function POST(request: Request): Promise<Response> {
  const { headers } = request;
  // A page of another origin can send this request without a preflight only if the body is not JSON.
  if (!isJson(headers.get("content-type")))
    return plainText(415, "Send JSON, with the header content-type: application/json");
  if (!countsForPage(headers.get("sec-fetch-site"))) return plainText(403, "Pages of other origins may not do this");
  const key = await keyIn(request);
  const credential = isKeyed() ? "key" : "code";
  if (key === undefined || key === "") return plainText(400, `Enter the ${credential}.`);
  // Without an API key, the whole printed link is accepted, too.
  const code = isKeyed() ? undefined : /[?&]code=([\w-]+)/.exec(key)?.[1];
  const signIn = await startSession(code ?? key);
  if (signIn.result === "locked") return lockedOut(signIn.retryAfter);
  return signIn.result === "started"
    ? new Response(null, { status: 204 })
    : plainText(401, `This is not the ${credential} of this server.`);
}

function plainText(status: number, message: string): Response {
  return new Response(message, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}

/** Returns the key in the body; undefined for any other body. */
async function keyIn(request: Request): Promise<string | undefined> {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (!(length <= LONGEST_KEY)) return undefined;
  const body: unknown = await request.json().catch(() => undefined);
  return isObject(body) && typeof body.key === "string" ? body.key.trim() : undefined;
}

import type { ApiKey } from "../engine/key-ports.ts";
import type { Deployment } from "../engine/ports.ts";
import { Fault } from "../protocol/faults.ts";
import { CALLER_HEADER, SESSION_COOKIE } from "../protocol/session.ts";
import { PASS_HEADER } from "../protocol/worker.ts";
import type { HttpSettings } from "./settings.ts";

/**
 * Who holds a key: the operator of the server, the code of the deployment that is called, or the console of a server
 * without key, whose visitor has shown its code.
 */
export type Holder = "operator" | "code" | "console";

/** Undefined for a request without key, or with a wrong one. */
export function holderOf(
  request: Request,
  { apiKey, consoleKey }: Pick<HttpSettings, "apiKey" | "consoleKey">,
  pass?: Deployment["pass"],
): Holder | undefined {
  const shown = request.headers.get(PASS_HEADER);
  if (shown !== null && pass?.matches(shown) === true) return "code";
  if (!apiKey) return consoleKey && hasSession(request, consoleKey) ? "console" : undefined;
  const given = keyOf(request);
  return (given === undefined ? hasSession(request, apiKey) : apiKey.matches(given)) ? "operator" : undefined;
}

/** Faults: `unauthorized` where there is a key, and the request comes from nobody who holds one. */
export function requireKey(request: Request, apiKey: ApiKey | undefined, holder: Holder | undefined): void {
  if (!apiKey || holder) return;
  const missing = keyOf(request) === undefined;
  throw new Fault("unauthorized", missing ? "Missing API key: send it as x-api-key" : "Invalid API key");
}

/** The headers without what proves the server's key: the application's code is never shown it. */
export function withoutKey(headers: Headers, apiKey: ApiKey | undefined): [string, string][] {
  const kept = new Headers([...headers].filter(([name]) => !name.startsWith("x-graphlib-")));
  const bearer = bearerOf(kept);
  if (apiKey?.matches(kept.get("x-api-key") ?? "")) kept.delete("x-api-key");
  if (bearer !== undefined && apiKey?.matches(bearer)) kept.delete("authorization");
  const cookies = kept.get("cookie")?.split(";") ?? [];
  const others = cookies.filter((cookie) => !cookie.trim().startsWith(`${SESSION_COOKIE}=`));
  if (others.length < cookies.length) kept.set("cookie", others.join(";").trim());
  if (kept.get("cookie") === "") kept.delete("cookie");
  return [...kept];
}

/** `x-api-key`, or a bearer token. */
function keyOf(request: Request): string | undefined {
  return request.headers.get("x-api-key") ?? bearerOf(request.headers);
}

function bearerOf(headers: Headers): string | undefined {
  return /^bearer\s+(.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
}

/**
 * Whether a request comes from the signed-in console. The cookie counts only for requests that the browser itself marks
 * as made by a page of this origin, so no other site can spend it.
 */
function hasSession(request: Request, apiKey: ApiKey): boolean {
  if (!isOfConsole(request)) return false;
  const cookies = request.headers.get("cookie") ?? "";
  const value = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([^;]+)`).exec(cookies)?.[1];
  return value !== undefined && apiKey.isSession(value);
}

/** Whether a page of this origin sent it, and without credentials of its own. */
export function isOfConsole({ headers }: Request): boolean {
  return headers.get("sec-fetch-site") === "same-origin" && !headers.has(CALLER_HEADER);
}

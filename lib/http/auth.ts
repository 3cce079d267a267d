import type { ApiKey } from "../engine/ports.ts";
import { Fault } from "../protocol/faults.ts";
import { SESSION_COOKIE } from "../protocol/session.ts";

/** Faults: `unauthorized` unless the request carries the key (`x-api-key`, Bearer) or a console session. */
export function requireKey(request: Request, apiKey: ApiKey | undefined): void {
  if (!apiKey) return;
  const bearer = /^bearer\s+(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const given = request.headers.get("x-api-key") ?? bearer;
  if (given === undefined ? hasSession(request, apiKey) : apiKey.matches(given)) return;
  throw new Fault("unauthorized", given === undefined ? "Missing API key: send it as x-api-key" : "Invalid API key");
}

/**
 * Whether a request comes from the signed-in console. The cookie counts only for requests that the browser itself marks
 * as made by a page of this origin, so no other site can spend it.
 */
function hasSession(request: Request, apiKey: ApiKey): boolean {
  if (request.headers.get("sec-fetch-site") !== "same-origin") return false;
  const cookies = request.headers.get("cookie") ?? "";
  const value = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([^;]+)`).exec(cookies)?.[1];
  return value !== undefined && apiKey.isSession(value);
}

import { triggerOf } from "../protocol/runs.ts";
import { CLIENT_HEADER } from "../protocol/session.ts";
import { configurableHeaders } from "../rules/runs/config.ts";
import { withoutKey } from "./auth.ts";
import type { Call } from "./endpoint.ts";

type StartCall = Pick<Call<never>, "request" | "deployment" | "settings" | "access">;

/** Returns the part of a call that goes into every run it starts: its headers, its trigger and the caller's permissions. */
export function startOptionsOf({ request, deployment, settings, access }: StartCall) {
  const rule = deployment.config?.http.configurable_headers;
  const headers = configurableHeaders(withoutKey(request.headers, settings.apiKey), rule);
  return { headers, trigger: triggerOf(request.headers.get(CLIENT_HEADER)), access };
}

import type { RunDraftOptions } from "../engine/runs/draft.ts";
import { configurableHeaders } from "../rules/runs/config.ts";
import { withoutKey } from "./auth.ts";
import type { Call } from "./endpoint.ts";

/** Returns the part of a call that goes into every run it starts: its headers and the caller's permissions. */
export function startOptionsOf({
  request,
  deployment,
  settings,
  access,
}: Pick<Call<never>, "request" | "deployment" | "settings" | "access">): Required<
  Pick<RunDraftOptions, "headers" | "access">
> {
  const rule = deployment.config?.http.configurable_headers;
  return { headers: configurableHeaders(withoutKey(request.headers, settings.apiKey), rule), access };
}

import type { Deployment } from "../engine/ports/ports.ts";
import { Fault } from "../protocol/faults.ts";
import { isJson } from "../rules/http/control-guard.ts";
import { allowsOrigin, type OriginDefault, corsHeaders, preflightHeaders } from "../rules/http/cors.ts";
import { isForeign, isNeighbour } from "../rules/http/origins.ts";
import type { HttpSettings } from "./settings.ts";
import { withHeaders } from "./with-headers.ts";

type CorsSettings = Pick<HttpSettings, "apiKey" | "publicUrl">;

/** Adds the headers that let pages of other origins read a response, as far as the deployment allows it. */
export function allowOrigin(
  response: Response,
  request: Request,
  deployment: Deployment | undefined,
  settings: CorsSettings,
): Response {
  // If the application has set the header itself, by a route or by middleware, its value stays.
  if (response.headers.has("access-control-allow-origin")) return response;
  const origin = request.headers.get("origin");
  const allowed = corsHeaders(deployment?.config?.http.cors, origin, byDefault(deployment, settings));
  return withHeaders(response, Object.entries(allowed));
}

/** Answers the preflight request that a browser sends before a request from another origin. */
export function answerPreflight(request: Request, deployment: Deployment, settings: CorsSettings): Response {
  const { headers } = request;
  const allowed = preflightHeaders(
    deployment.config?.http.cors,
    headers.get("origin"),
    headers.get("access-control-request-headers"),
    byDefault(deployment, settings),
  );
  return withHeaders(new Response(null, { status: 204 }), Object.entries(allowed));
}

/** With a key any page may call, because no browser adds a key by itself. Without one only neighbouring pages may. */
function byDefault(deployment: Deployment | undefined, { apiKey, publicUrl }: CorsSettings): OriginDefault | undefined {
  if (apiKey) return undefined;
  return (origin) => isNeighbour(origin, { deployment: deployment?.name ?? "", publicUrl });
}

const HARMLESS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Browsers send simple requests of any page without a preflight and only hide the answer from the page. A server without
 * a key does not execute such a request. Faults: `forbidden`.
 */
export function refuseForeignPage({ method, headers }: Request, deployment: Deployment, settings: CorsSettings): void {
  if (settings.apiKey || HARMLESS.has(method)) return;
  const origin = headers.get("origin");
  const sender = { host: headers.get("host"), origin, site: headers.get("sec-fetch-site") };
  if (!isForeign(sender, settings.publicUrl)) return;
  const allowed = allowsOrigin(deployment.config?.http.cors, origin ?? "", byDefault(deployment, settings));
  if (allowed) return;
  throw new Fault(
    "forbidden",
    `Pages of ${origin ?? "other origins"} may not call this deployment: name the origin in http.cors.allow_origins`,
  );
}

/**
 * A server without a key accepts a body only with the content type of JSON, which no foreign page can send without a
 * preflight. Faults: `unsupported_type`.
 */
export function requireJson({ headers }: Request, { apiKey }: CorsSettings): void {
  const hasBody = headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0;
  if (apiKey || !hasBody || isJson(headers.get("content-type"))) return;
  throw new Fault("unsupported_type", "Send JSON, with the header content-type: application/json");
}

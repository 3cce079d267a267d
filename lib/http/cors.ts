import type { Deployment } from "../engine/ports.ts";
import { corsHeaders, preflightHeaders } from "../rules/cors.ts";

/** Lets pages of other origins read an answer, as far as the deployment allows it. */
export function allowOrigin(response: Response, request: Request, deployment: Deployment | undefined): Response {
  // An application that says so itself for its own routes, or by its middleware, has the last word.
  if (response.headers.has("access-control-allow-origin")) return response;
  const headers = corsHeaders(deployment?.config?.http.cors, request.headers.get("origin"));
  return withHeaders(response, headers);
}

/** Answer to the browser's question before a request from another origin. */
export function answerPreflight(request: Request, deployment: Deployment | undefined): Response {
  const { headers } = request;
  const allowed = preflightHeaders(
    deployment?.config?.http.cors,
    headers.get("origin"),
    headers.get("access-control-request-headers"),
  );
  return withHeaders(new Response(null, { status: 204 }), allowed);
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) {
    if (name === "vary") response.headers.append(name, value);
    else response.headers.set(name, value);
  }
  return response;
}

const EXPOSED = "content-location, location, x-pagination-total, x-pagination-next, x-request-id";

/** Any page may call a deployment's API: what guards it is the key, which no browser adds by itself. */
export function allowOrigin(response: Response): Response {
  response.headers.set("access-control-allow-origin", "*");
  response.headers.set("access-control-expose-headers", EXPOSED);
  return response;
}

/** Answer to the browser's question before a request from another origin. */
export function preflight(request: Request): Response {
  return allowOrigin(
    new Response(null, {
      status: 204,
      headers: {
        "access-control-allow-methods": "GET,HEAD,PUT,POST,DELETE,PATCH,OPTIONS",
        "access-control-allow-headers": request.headers.get("access-control-request-headers") ?? "*",
        "access-control-max-age": "600",
      },
    }),
  );
}

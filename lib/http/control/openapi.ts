import { createHash } from "node:crypto";
import type { JsonObject } from "../../protocol/json.ts";
import { describeControl } from "../../protocol/openapi.ts";
import type { controlOperations as operations } from "../../protocol/operations/control.ts";
import { publicUrl } from "../../rules/http/public-url.ts";
import type { ControlHandler } from "./endpoint.ts";

/** The document takes 200 ms to make, so it is made once. Only the server's address differs between requests. */
let document: JsonObject | undefined;

export const openapi: ControlHandler<typeof operations.openapi> = ({ platform, settings, request }) => {
  document ??= describeControl({ version: platform.version, url: "" });
  const servers = [{ url: `${publicUrl(request.headers, settings)}/api` }];
  const text = JSON.stringify({ ...document, servers });
  const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
  const headers = { etag, "cache-control": "no-cache" };
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  const isKnown = known.some((tag) => tag.trim().replace(/^W\//, "") === etag);
  return Promise.resolve(
    isKnown
      ? new Response(null, { status: 304, headers })
      : new Response(text, { headers: { ...headers, "content-type": "application/json" } }),
  );
};

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { contentPolicy } from "../rules/http/content-policy.ts";

/**
 * Sets the headers that protect a page of the console and its files. Next takes the nonce for its own scripts from the
 * request's header.
 */
export function setPagePolicy(request: IncomingMessage, response: ServerResponse, dev: boolean): void {
  const policy = contentPolicy(randomUUID(), dev);
  request.headers["content-security-policy"] = policy;
  response.setHeader("content-security-policy", policy);
  // Pages of deployments are on the same site. They must get no handle on pages of the console, and not load their files.
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-resource-policy", "same-origin");
}

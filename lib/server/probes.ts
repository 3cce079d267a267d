/** Answers programs that watch servers: without a key, under any host name, and whatever applications serve at these paths. */
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Readiness } from "../protocol/readiness.ts";

/**
 * Answers `GET /livez` (200 as long as the process answers at all) and `GET /readyz` (200 if it can take requests, else 503).
 * Returns false for all other requests.
 */
export function answerProbe(
  { method = "", url = "" }: IncomingMessage,
  response: ServerResponse,
  readiness: () => Promise<Readiness>,
): boolean {
  const path = url.split("?", 1)[0];
  if ((path !== "/livez" && path !== "/readyz") || (method !== "GET" && method !== "HEAD")) return false;
  if (path === "/livez") send(response, 200, { live: true });
  else void readiness().then((now) => send(response, now.ready ? 200 : 503, now));
  return true;
}

/** The state of a server that waits for its database. */
const WAITING: Readiness = { ready: false, database: "away", draining: false };
const RETRY_S = 2;

/** Answers requests until the platform has started. */
export const answerStarting: RequestListener = (request, response) => {
  if (answerProbe(request, response, () => Promise.resolve(WAITING))) return;
  response.writeHead(503, {
    "retry-after": String(RETRY_S),
    "content-type": "text/plain; charset=utf-8",
    connection: "close",
  });
  response.end("This server is starting. Try again in a moment.");
};

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

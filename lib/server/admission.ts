/** Rejects requests that must not reach the platform or Next. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { HttpSettings } from "../http/settings.ts";
import {
  isWebSocket,
  readTarget,
  type RequestTarget,
  rejectRequest,
  rejectPageRequest,
  type Rejection,
  wantsPage,
} from "../rules/http/front.ts";
import { REFUSAL_PAGE_POLICY, refusalPage } from "./refusal-page.ts";

type Settings = Pick<HttpSettings, "apiKey" | "publicUrl">;

/** Returns the target of a request; undefined if the request has been rejected. */
export function admitRequest(
  request: IncomingMessage,
  response: ServerResponse,
  settings: Settings,
): RequestTarget | undefined {
  const { target, rejection } = judge(request, settings);
  if (rejection) sendRejection(request, response, rejection);
  return rejection ? undefined : target;
}

function judge(
  request: IncomingMessage,
  { apiKey, publicUrl }: Settings,
): { target?: RequestTarget; rejection?: Rejection } {
  const arrival = { method: request.method ?? "", target: request.url ?? "", headers: request.headers };
  const target = readTarget(arrival);
  return { target, rejection: rejectRequest(arrival, target, { keyed: apiKey !== undefined, publicUrl }) };
}

/** Returns whether a request may get a page or a file of the console. Otherwise it has been rejected. */
export function admitPage(request: IncomingMessage, response: ServerResponse, { publicUrl }: Settings): boolean {
  const { method = "", headers } = request;
  const rejection = rejectPageRequest({ method, headers }, publicUrl);
  if (rejection) sendRejection(request, response, rejection);
  return !rejection;
}

/** Answers without reading the body, then closes the connection. Foreign pages cannot even see that there is an answer. */
function sendRejection(request: IncomingMessage, response: ServerResponse, rejection: Rejection): void {
  const { status, message, title, headers } = rejection;
  const { method = "" } = request;
  const isPage = title !== undefined && wantsPage({ method, headers: request.headers });
  response.setHeader("cross-origin-resource-policy", "same-origin");
  if (title !== undefined) response.setHeader("vary", "accept");
  if (isPage) response.setHeader("content-security-policy", REFUSAL_PAGE_POLICY);
  const type = isPage ? "text/html" : "text/plain";
  response.writeHead(status, { ...headers, "content-type": `${type}; charset=utf-8`, connection: "close" });
  response.end(isPage ? refusalPage({ status, title, message }) : message);
}

/**
 * Next handles every upgrade of the server that it is given, and never answers those that it does not know. So it gets a
 * server that does not listen. Under development the upgrade that reloads pages is passed to it.
 */
export const upgradesOfNext = createServer();

/** Options for `createServer`: upgrades other than to WebSocket are ignored, and such requests are answered normally. */
export const frontOptions = { shouldUpgradeCallback: ({ headers }: IncomingMessage) => isWebSocket(headers) };

/** An admitted request for a WebSocket. */
export interface UpgradeRequest {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  target: RequestTarget;
  /** Answers instead of opening a WebSocket. */
  refuse: (rejection: Rejection) => void;
}

/**
 * Handles upgrades. `take` opens WebSockets and returns whether it did; under development Next gets its own. All other
 * upgrades, and `CONNECT`, are rejected.
 */
export function guardUpgrades(
  server: Server,
  settings: Settings,
  { dev, take }: { dev: boolean; take: (upgrade: UpgradeRequest) => boolean },
): void {
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { target, rejection } = judge(request, settings);
    const refuse = (why: Rejection): void => closeWithRejection(socket, why);
    if (rejection || !target) return refuse(rejection ?? NO_WEBSOCKET);
    if (dev && request.url?.startsWith("/_next/hmr")) upgradesOfNext.emit("upgrade", request, socket, head);
    else if (!take({ request, socket, head, target, refuse })) refuse(NO_WEBSOCKET);
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex) =>
    closeWithRejection(socket, judge(request, settings).rejection ?? NO_WEBSOCKET),
  );
}

const NO_WEBSOCKET: Rejection = {
  status: 400,
  message: "There is no WebSocket at this path: they are at /threads/{thread_id}/stream/events",
};

const CLOSE_MS = 1_000;

function closeWithRejection(socket: Duplex, { status, message, headers }: Rejection): void {
  const all = {
    ...headers,
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(message),
    connection: "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on("error", () => undefined);
  // Incoming data is still read, so that the answer arrives. A client that does not close is cut off after that.
  socket.resume();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${message}`);
  setTimeout(() => socket.destroy(), CLOSE_MS).unref();
}

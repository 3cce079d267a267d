/** The server's front: turns away what must not come in, before the platform or Next see it. */
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
} from "../rules/http/front.ts";

type AdmissionSettings = Pick<HttpSettings, "apiKey" | "publicUrl">;

/** What a request asks for; undefined where it has been turned away. */
export function admitRequest(
  request: IncomingMessage,
  response: ServerResponse,
  settings: AdmissionSettings,
): RequestTarget | undefined {
  const { target, turned } = judge(request, settings);
  if (turned) sendRejection(response, turned);
  return turned ? undefined : target;
}

function judge(
  request: IncomingMessage,
  { apiKey, publicUrl }: AdmissionSettings,
): { target?: RequestTarget; turned?: Rejection } {
  const arrival = { method: request.method ?? "", target: request.url ?? "", headers: request.headers };
  const target = readTarget(arrival);
  return { target, turned: rejectRequest(arrival, target, { keyed: apiKey !== undefined, publicUrl }) };
}

/** Whether a request gets to a page of the console, or a file of one. */
export function admitPageRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { publicUrl }: AdmissionSettings,
): boolean {
  const { method = "", headers } = request;
  const turned = rejectPageRequest({ method, headers }, publicUrl);
  if (turned) sendRejection(response, turned);
  return !turned;
}

/** Its body is not read: the connection ends with the answer. No page elsewhere learns as much as that there is one. */
function sendRejection(response: ServerResponse, { status, message, headers }: Rejection): void {
  response.setHeader("cross-origin-resource-policy", "same-origin");
  response.writeHead(status, { ...headers, "content-type": "text/plain; charset=utf-8", connection: "close" });
  response.end(message);
}

/**
 * Next takes every upgrade of the server that it is given, and leaves those unanswered that it has no use for. This one
 * listens nowhere; under development it is told of what reloads pages.
 */
export const upgradesOfNext = createServer();

/** For `createServer`: an upgrade that nobody insists on is passed over, and the request answered as it stands. */
export const frontOptions = { shouldUpgradeCallback: ({ headers }: IncomingMessage) => isWebSocket(headers) };

/** A request for a WebSocket that was let in. */
export interface Tunnel {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  target: RequestTarget;
  /** Answers in place of opening it. */
  refuse: (turned: Rejection) => void;
}

/**
 * Answers what asks for a connection of another kind: `take` says whether it opens a WebSocket, Next takes its own while it
 * is developed with, and there is no other.
 */
export function guardTunnels(
  server: Server,
  settings: AdmissionSettings,
  { dev, take }: { dev: boolean; take: (tunnel: Tunnel) => boolean },
): void {
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { target, turned } = judge(request, settings);
    const refuse = (why: Rejection): void => closeWithRejection(socket, why);
    if (turned || !target) return refuse(turned ?? NO_WEBSOCKET);
    if (dev && request.url?.startsWith("/_next/hmr")) upgradesOfNext.emit("upgrade", request, socket, head);
    else if (!take({ request, socket, head, target, refuse })) refuse(NO_WEBSOCKET);
  });
  server.on("connect", (request: IncomingMessage, socket: Duplex) =>
    closeWithRejection(socket, judge(request, settings).turned ?? NO_WEBSOCKET),
  );
}

const NO_WEBSOCKET: Rejection = {
  status: 400,
  message: "There is no WebSocket at this path: they are at /threads/{thread_id}/stream/events",
};

const LEAVING_MS = 1_000;

function closeWithRejection(socket: Duplex, { status, message, headers }: Rejection): void {
  const all = {
    ...headers,
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(message),
    connection: "close",
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on("error", () => undefined);
  // What is still sent is read, so that the answer arrives; who does not leave then is left.
  socket.resume();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${message}`);
  setTimeout(() => socket.destroy(), LEAVING_MS).unref();
}

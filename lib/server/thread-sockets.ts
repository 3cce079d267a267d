/** Opens WebSockets of threads on the server's own connections, because Next has no upgrades for route files. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { endpoint } from "../http/endpoint.ts";
import { threadSocket } from "../http/thread-socket.ts";
import { openThreadSocket } from "../http/thread-stream.ts";
import type { Running } from "../platform.ts";
import { operations } from "../protocol/operations.ts";
import type { Rejection } from "../rules/http/front.ts";
import { isForeign } from "../rules/http/origins.ts";

/** The largest number of sockets of all deployments. Each holds a connection and a buffer of unread data. */
const SOCKETS = 1_024;
/** The largest frame of a client. Larger input goes over HTTP, where a budget limits bodies. */
const FRAME_BYTES = 1024 * 1024;
/** One socket may have this many commands in progress. Further frames are not read until one has ended. */
const UNDERWAY = 32;
const PING_MS = 20_000;
/** The close code "Service Restart" of the WebSocket registry (RFC 6455): the client should connect again. */
const RESTARTS = 1012;

/** Matches the routes of this server that have a socket. */
const ROUTE = /^\/agents\/([^/?]+)\/threads\/([^/?]+)\/stream\/events(?:\?|$)/;

interface Upgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  /** Path and query of the server's own route. */
  route: string;
}

type Refuse = (turned: Rejection) => void;

export interface ThreadSockets {
  /** Returns whether a route has a socket. */
  has(route: string): boolean;
  /** Opens a socket, or answers with `refuse`. */
  open(upgraded: Upgrade, refuse: Refuse): void;
}

export function createThreadSockets(running: Running): ThreadSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES });
  const context = (): Running => running;
  const authorize = endpoint(context, operations.openThreadSocket, openThreadSocket);

  const open = async ({ request, socket, head, route }: Upgrade, refuse: Refuse): Promise<void> => {
    // Paths that cannot be decoded were rejected before.
    const [, deployment = "", thread_id = ""] = (ROUTE.exec(route) ?? []).map(decodeURIComponent);
    const params = { deployment, thread_id };
    const handshake = requestOf(request, running.settings.publicUrl);
    const answer = await authorize(handshake, { params: Promise.resolve(params) });
    if (answer.status !== 426) {
      const { status, headers } = answer;
      const kept = [...headers].filter(([name]) => !name.startsWith("content-"));
      return refuse({ status, message: await answer.text(), headers: Object.fromEntries(kept) });
    }
    if (server.clients.size >= SOCKETS)
      return refuse({ status: 503, message: `This server has ${SOCKETS} WebSockets already: try again later` });
    server.handleUpgrade(request, socket, head, (client) => serve(client, handshake, params));
  };
  const serve = (client: WebSocket, handshake: Request, params: Record<string, string>): void => {
    const session = threadSocket(context, handshake, params, {
      send: (text) => new Promise((sent) => client.send(text, () => sent())),
      restart: () => client.close(RESTARTS, "The stream has ended"),
    });
    const stopPings = pingBy(client);
    let underway = 0;
    client.on("message", (data: Buffer) => {
      if (++underway >= UNDERWAY) client.pause();
      void session.receive(data.toString("utf8")).finally(() => {
        if (--underway < UNDERWAY) client.resume();
      });
    });
    client.on("error", () => client.terminate());
    client.on("close", () => {
      stopPings();
      session.close();
    });
  };
  return {
    has: (route) => ROUTE.test(route),
    open(upgraded, refuse) {
      void open(upgraded, refuse).catch((cause: unknown) => {
        running.platform.logger.error("a WebSocket could not be opened", cause);
        refuse({ status: 500, message: "The WebSocket could not be opened" });
      });
    },
  };
}

/** Matches headers that concern the connection only. */
const OF_CONNECTION = /^(?:connection|upgrade|sec-websocket-.*|transfer-encoding|content-length|keep-alive|expect)$/;

function requestOf({ headers, url = "/" }: IncomingMessage, publicUrl: string | undefined): Request {
  const kept = Object.entries(headers).filter(([name]) => !OF_CONNECTION.test(name));
  const entries = kept.flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one]));
  const request = new Request(new URL(url, `http://${headers.host ?? "localhost"}`), { headers: entries });
  const sender = {
    host: request.headers.get("host"),
    origin: request.headers.get("origin"),
    site: request.headers.get("sec-fetch-site"),
  };
  // Browsers open sockets without a preflight, so a foreign page must not act with the cookies of this origin.
  if (isForeign(sender, publicUrl)) request.headers.delete("cookie");
  return request;
}

/** Ends the connection of a client that answers no ping. Returns a function that stops the pings. */
function pingBy(client: WebSocket): () => void {
  let isThere = true;
  client.on("pong", () => {
    isThere = true;
  });
  const timer = setInterval(() => {
    if (!isThere) return client.terminate();
    isThere = false;
    client.ping();
  }, PING_MS);
  return () => clearInterval(timer);
}

/** WebSockets of threads, on the server's own connections: Next takes no upgrades for route files. */
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

/** Sockets at a time, all deployments together: each holds a connection and what its client has yet to read. */
const SOCKETS = 1_024;
/** A frame of a client. Larger input goes over HTTP, where bodies wait for room. */
const FRAME_BYTES = 1024 * 1024;
/** Commands of one socket that are carried out at the same time; what comes beyond that is not read yet. */
const UNDERWAY = 32;
const PING_MS = 20_000;
/** A close code of RFC 6455's registry: the server restarts, so the client is to come again. */
const RESTARTS = 1012;

/** The paths that have a socket, as routes of this server. */
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
  /** Tells whether a route is that of a thread's stream. */
  has(route: string): boolean;
  /** Opens a socket for one; `refuse` answers in its place. */
  open(upgraded: Upgrade, refuse: Refuse): void;
}

export function createThreadSockets(running: Running): ThreadSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES });
  const context = (): Running => running;
  const letIn = endpoint(context, operations.openThreadSocket, openThreadSocket);

  const open = async ({ request, socket, head, route }: Upgrade, refuse: Refuse): Promise<void> => {
    // A path that cannot be decoded was turned away before.
    const [, deployment = "", thread_id = ""] = (ROUTE.exec(route) ?? []).map(decodeURIComponent);
    const params = { deployment, thread_id };
    const asked = requestOf(request, running.settings.publicUrl);
    const answer = await letIn(asked, { params: Promise.resolve(params) });
    if (answer.status !== 426) {
      const { status, headers } = answer;
      const kept = [...headers].filter(([name]) => !name.startsWith("content-"));
      return refuse({ status, message: await answer.text(), headers: Object.fromEntries(kept) });
    }
    if (server.clients.size >= SOCKETS)
      return refuse({ status: 503, message: `This server has ${SOCKETS} WebSockets already: try again later` });
    server.handleUpgrade(request, socket, head, (client) => serve(client, asked, params));
  };
  const serve = (client: WebSocket, asked: Request, params: Record<string, string>): void => {
    const session = threadSocket(context, asked, params, {
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

/** Headers that only the connection itself is made by. */
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
  // A browser asks nobody before it opens a socket: a page elsewhere does not act with the cookies that are kept here.
  if (isForeign(sender, publicUrl)) request.headers.delete("cookie");
  return request;
}

/** Ends the connection of a client that answers no ping. Returns what stops that. */
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

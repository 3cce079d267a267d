/**
 * A forward proxy on this machine for the programs of an install. At every connection it checks the address of
 * registries, URL dependencies and repositories, wherever a lockfile or a redirect has sent the install.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { ListenOptions, Socket } from "node:net";
import type { HostTraffic } from "../../rules/packages/install-traffic.ts";
import { absoluteTarget, authorityOf, connectTarget, type ProxyTarget } from "../../rules/packages/proxies.ts";
import {
  HEADER_BYTES,
  IDLE_MS,
  HostNotAllowed,
  connectHost,
  type ConnectOptions,
  requestHost,
  unreachableCode,
} from "./host-connections.ts";

/** More than any package manager opens. */
const MOST_CONNECTIONS = 512;
const HEADERS_MS = 10_000;
/** The most hosts that are reported one by one. */
const MOST_HOSTS = 200;
const USER = "graphlib";
const CLOSING = "Connection: close\r\nContent-Length: 0\r\n\r\n";
/** Headers of a single connection (RFC 9110, 7.6.1), which are not forwarded. */
const HOP =
  /^(?:connection|keep-alive|proxy-authenticate|proxy-authorization|proxy-connection|te|trailer|transfer-encoding|upgrade|host)$/;

export interface InstallProxyOptions extends ConnectOptions {
  /** A second path to listen on, for programs inside a fence. */
  socket?: string;
  /** Called once for each host that is not public or is this server; the client gets its response afterwards. */
  refused: (target: ProxyTarget, own: boolean) => Promise<void>;
  /** Called once for each host that could not be reached, with an error code. */
  unreachable: (target: ProxyTarget, code: string) => void;
}

export interface InstallProxy {
  /** The address with user name and password, which every request needs. */
  url: string;
  password: string;
  port: number;
  /** Ends all connections and returns the traffic of each host, in the order of the first connections. */
  close(): Promise<HostTraffic[]>;
}

/** Listens on a free port of the loopback address until it is closed. */
export async function openInstallProxy(options: InstallProxyOptions): Promise<InstallProxy> {
  const password = randomBytes(24).toString("hex");
  const state: ProxyState = {
    options,
    expected: digest(`Basic ${Buffer.from(`${USER}:${password}`).toString("base64")}`),
    traffic: new Map(),
    reported: new Set(),
    sockets: new Set(),
  };
  const first = createProxyServer(state);
  const servers = [first];
  const port = await listen(first, { host: "127.0.0.1", port: 0 });
  if (options.socket !== undefined) {
    const second = createProxyServer(state);
    servers.push(second);
    await listen(second, { path: options.socket });
  }
  return {
    port,
    url: `http://${USER}:${password}@127.0.0.1:${port}`,
    password,
    async close() {
      const closed = servers.map((server) => new Promise((done) => server.close(done)));
      for (const socket of state.sockets) {
        closed.push(new Promise((done) => socket.once("close", done)));
        socket.destroy();
      }
      await Promise.all(closed);
      return [...state.traffic.values()];
    },
  };
}

/** State that all connections share. */
interface ProxyState {
  options: InstallProxyOptions;
  /** The digest of the header that clients have to send. */
  expected: Buffer;
  traffic: Map<string, HostTraffic>;
  /** Failures that were already reported. */
  reported: Set<string>;
  sockets: Set<Socket>;
}

function createProxyServer(state: ProxyState): Server {
  const server = createServer({ maxHeaderSize: HEADER_BYTES, headersTimeout: HEADERS_MS });
  server.maxConnections = MOST_CONNECTIONS;
  server.on("connection", (socket) => track(socket, state));
  server.on("request", (request, response) => void forward(request, response, state));
  server.on("connect", (request, socket: Socket, head) => void tunnel(request, socket, head, state));
  server.on("clientError", (_, socket) => socket.destroy());
  return server;
}

/** Resolves to the port, or 0 for a socket. */
function listen(server: Server, at: ListenOptions): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once("error", reject);
  server.listen(at, () => {
    const address = server.address();
    resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
  });
  return promise;
}

/** Tracks a socket until it is closed. */
function track(socket: Socket, { sockets }: ProxyState): void {
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  // The other end has gone; `close` follows.
  socket.on("error", () => undefined);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isClient({ headers }: IncomingMessage, { expected }: ProxyState): boolean {
  return timingSafeEqual(digest(headers["proxy-authorization"] ?? ""), expected);
}

/** Handles CONNECT: passes bytes in both directions without reading them. */
async function tunnel(request: IncomingMessage, client: Socket, head: Buffer, state: ProxyState): Promise<void> {
  const answer = (status: string, more = ""): void => void client.end(`HTTP/1.1 ${status}\r\n${more}${CLOSING}`);
  if (!isClient(request, state)) return answer("407 Proxy Authentication Required", AUTHENTICATE);
  const target = connectTarget(request.url ?? "");
  if (!target) return answer("400 Bad Request");
  try {
    const host = await connectHost(target, state.options);
    if (client.destroyed) return void host.destroy();
    track(host, state);
    count(host, target, state);
    client.setTimeout(IDLE_MS, () => client.destroy());
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) host.write(head);
    pipeBoth(client, host);
  } catch (error) {
    const { status, reason } = await reportFailure(target, error, state);
    answer(`${status} ${reason}`);
  }
}

const AUTHENTICATE = 'Proxy-Authenticate: Basic realm="graphlib"\r\n';

function pipeBoth(client: Socket, host: Socket): void {
  client.pipe(host).pipe(client);
  client.once("close", () => host.destroy());
  // Received bytes are still written.
  host.once("close", () => client.end());
  host.once("error", () => client.destroy());
}

/** Forwards a request without TLS, whose path is an absolute address. */
async function forward(request: IncomingMessage, response: ServerResponse, state: ProxyState): Promise<void> {
  const answer = (status: number, reason: string, headers = {}): void =>
    void response.writeHead(status, reason, { ...headers, "content-length": "0", connection: "close" }).end();
  if (!isClient(request, state)) return answer(407, "Proxy Authentication Required", { "proxy-authenticate": "Basic" });
  const target = absoluteTarget(request.url ?? "");
  if (!target) return answer(400, "Bad Request");
  const failed = async (error: unknown): Promise<void> => {
    // The client has gone.
    if (response.destroyed) return;
    const { status, reason } = await reportFailure(target, error, state);
    if (response.headersSent) response.destroy();
    else answer(status, reason);
  };
  try {
    const headers = { ...forwardedHeaders(request), host: authorityOf(target).replace(/:80$/, "") };
    const outgoing = await requestHost(target, { method: request.method, headers }, state.options);
    outgoing.once("socket", (socket) => {
      track(socket, state);
      count(socket, target, state);
    });
    outgoing.on("error", (error) => void failed(error));
    outgoing.once("timeout", () => outgoing.destroy());
    outgoing.once("response", (incoming) => {
      incoming.once("error", () => response.destroy());
      try {
        // The reason phrase is left out: it may contain characters that a response must not have.
        response.writeHead(statusOf(incoming), forwardedHeaders(incoming));
        incoming.pipe(response);
      } catch (error) {
        void failed(error);
      }
    });
    response.once("close", () => outgoing.destroy());
    request.pipe(outgoing);
  } catch (error) {
    await failed(error);
  }
}

/** Returns the status. Throws for one that a response cannot have. */
function statusOf({ statusCode = 0 }: IncomingMessage): number {
  if (statusCode >= 200 && statusCode <= 599) return statusCode;
  throw Object.assign(new Error(`status ${statusCode}`), { code: "EPROTO" });
}

function forwardedHeaders({ headersDistinct }: IncomingMessage): Record<string, string[] | undefined> {
  const named = new Set((headersDistinct.connection ?? []).flatMap((value) => value.toLowerCase().split(/[\s,]+/)));
  return Object.fromEntries(Object.entries(headersDistinct).filter(([name]) => !HOP.test(name) && !named.has(name)));
}

/** Returns the response to a failed connection, after reporting the failure. */
async function reportFailure(target: ProxyTarget, error: unknown, { options, reported }: ProxyState) {
  const isRefused = error instanceof HostNotAllowed;
  const code = isRefused ? "EREFUSED" : unreachableCode(error);
  const key = `${code} ${authorityOf(target)}`;
  if (!reported.has(key) && reported.size < MOST_HOSTS) {
    reported.add(key);
    if (isRefused) await options.refused(target, error.own);
    else options.unreachable(target, code);
  }
  return isRefused ? { status: 403, reason: "Not A Public Host" } : { status: 502, reason: code };
}

/** Adds the bytes of a connection to the host's traffic when it closes. */
function count(socket: Socket, target: ProxyTarget, { traffic }: ProxyState): void {
  const authority = authorityOf(target);
  const name = traffic.has(authority) || traffic.size < MOST_HOSTS ? authority : "";
  const sums = traffic.get(name) ?? { authority: name, connections: 0, bytes: 0 };
  traffic.set(name, sums);
  sums.connections++;
  socket.once("close", () => (sums.bytes += socket.bytesRead + socket.bytesWritten));
}

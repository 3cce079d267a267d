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
  NotAllowed,
  reachHost,
  type ReachOptions,
  requestHost,
  unreachableCode,
} from "./reach.ts";

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

export interface InstallProxyOptions extends ReachOptions {
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
  const desk: Desk = {
    options,
    expected: digest(`Basic ${Buffer.from(`${USER}:${password}`).toString("base64")}`),
    traffic: new Map(),
    told: new Set(),
    sockets: new Set(),
  };
  const first = newServer(desk);
  const servers = [first];
  const port = await listening(first, { host: "127.0.0.1", port: 0 });
  if (options.socket !== undefined) {
    const second = newServer(desk);
    servers.push(second);
    await listening(second, { path: options.socket });
  }
  return {
    port,
    url: `http://${USER}:${password}@127.0.0.1:${port}`,
    password,
    async close() {
      const closed = servers.map((server) => new Promise((done) => server.close(done)));
      for (const socket of desk.sockets) {
        closed.push(new Promise((done) => socket.once("close", done)));
        socket.destroy();
      }
      await Promise.all(closed);
      return [...desk.traffic.values()];
    },
  };
}

/** State that all connections share. */
interface Desk {
  options: InstallProxyOptions;
  /** The digest of the header that clients have to send. */
  expected: Buffer;
  traffic: Map<string, HostTraffic>;
  /** Failures that were already reported. */
  told: Set<string>;
  sockets: Set<Socket>;
}

function newServer(desk: Desk): Server {
  const server = createServer({ maxHeaderSize: HEADER_BYTES, headersTimeout: HEADERS_MS });
  server.maxConnections = MOST_CONNECTIONS;
  server.on("connection", (socket) => keep(socket, desk));
  server.on("request", (request, response) => void relay(request, response, desk));
  server.on("connect", (request, socket: Socket, head) => void tunnel(request, socket, head, desk));
  server.on("clientError", (_, socket) => socket.destroy());
  return server;
}

/** Resolves to the port, or 0 for a socket. */
function listening(server: Server, at: ListenOptions): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  server.once("error", reject);
  server.listen(at, () => {
    const address = server.address();
    resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
  });
  return promise;
}

/** Tracks a socket until it is closed. */
function keep(socket: Socket, { sockets }: Desk): void {
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
  // The other end has gone; `close` follows.
  socket.on("error", () => undefined);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isClient({ headers }: IncomingMessage, { expected }: Desk): boolean {
  return timingSafeEqual(digest(headers["proxy-authorization"] ?? ""), expected);
}

/** Handles CONNECT: passes bytes in both directions without reading them. */
async function tunnel(request: IncomingMessage, client: Socket, head: Buffer, desk: Desk): Promise<void> {
  const answer = (status: string, more = ""): void => void client.end(`HTTP/1.1 ${status}\r\n${more}${CLOSING}`);
  if (!isClient(request, desk)) return answer("407 Proxy Authentication Required", ASKING);
  const target = connectTarget(request.url ?? "");
  if (!target) return answer("400 Bad Request");
  try {
    const host = await reachHost(target, desk.options);
    if (client.destroyed) return void host.destroy();
    keep(host, desk);
    count(host, target, desk);
    client.setTimeout(IDLE_MS, () => client.destroy());
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    if (head.length > 0) host.write(head);
    joined(client, host);
  } catch (error) {
    const { status, reason } = await refusal(target, error, desk);
    answer(`${status} ${reason}`);
  }
}

const ASKING = 'Proxy-Authenticate: Basic realm="graphlib"\r\n';

function joined(client: Socket, host: Socket): void {
  client.pipe(host).pipe(client);
  client.once("close", () => host.destroy());
  // Received bytes are still written.
  host.once("close", () => client.end());
  host.once("error", () => client.destroy());
}

/** Forwards a request without TLS, whose path is an absolute address. */
async function relay(request: IncomingMessage, response: ServerResponse, desk: Desk): Promise<void> {
  const answer = (status: number, reason: string, headers = {}): void =>
    void response.writeHead(status, reason, { ...headers, "content-length": "0", connection: "close" }).end();
  if (!isClient(request, desk)) return answer(407, "Proxy Authentication Required", { "proxy-authenticate": "Basic" });
  const target = absoluteTarget(request.url ?? "");
  if (!target) return answer(400, "Bad Request");
  const failed = async (error: unknown): Promise<void> => {
    // The client has gone.
    if (response.destroyed) return;
    const { status, reason } = await refusal(target, error, desk);
    if (response.headersSent) response.destroy();
    else answer(status, reason);
  };
  try {
    const headers = { ...passed(request), host: authorityOf(target).replace(/:80$/, "") };
    const asked = await requestHost(target, { method: request.method, headers }, desk.options);
    asked.once("socket", (socket) => {
      keep(socket, desk);
      count(socket, target, desk);
    });
    asked.on("error", (error) => void failed(error));
    asked.once("timeout", () => asked.destroy());
    asked.once("response", (answered) => {
      answered.once("error", () => response.destroy());
      try {
        // The reason phrase is left out: it may contain characters that a response must not have.
        response.writeHead(statusOf(answered), passed(answered));
        answered.pipe(response);
      } catch (error) {
        void failed(error);
      }
    });
    response.once("close", () => asked.destroy());
    request.pipe(asked);
  } catch (error) {
    await failed(error);
  }
}

/** Returns the status. Throws for one that a response cannot have. */
function statusOf({ statusCode = 0 }: IncomingMessage): number {
  if (statusCode >= 200 && statusCode <= 599) return statusCode;
  throw Object.assign(new Error(`status ${statusCode}`), { code: "EPROTO" });
}

function passed({ headersDistinct }: IncomingMessage): Record<string, string[] | undefined> {
  const named = new Set((headersDistinct.connection ?? []).flatMap((value) => value.toLowerCase().split(/[\s,]+/)));
  return Object.fromEntries(Object.entries(headersDistinct).filter(([name]) => !HOP.test(name) && !named.has(name)));
}

/** Returns the response to a failed connection, after reporting the failure. */
async function refusal(target: ProxyTarget, error: unknown, { options, told }: Desk) {
  const isRefused = error instanceof NotAllowed;
  const code = isRefused ? "EREFUSED" : unreachableCode(error);
  const key = `${code} ${authorityOf(target)}`;
  if (!told.has(key) && told.size < MOST_HOSTS) {
    told.add(key);
    if (isRefused) await options.refused(target, error.own);
    else options.unreachable(target, code);
  }
  return isRefused ? { status: 403, reason: "Not A Public Host" } : { status: 502, reason: code };
}

/** Adds the bytes of a connection to the host's traffic when it closes. */
function count(socket: Socket, target: ProxyTarget, { traffic }: Desk): void {
  const authority = authorityOf(target);
  const name = traffic.has(authority) || traffic.size < MOST_HOSTS ? authority : "";
  const sums = traffic.get(name) ?? { authority: name, connections: 0, bytes: 0 };
  traffic.set(name, sums);
  sums.connections++;
  socket.once("close", () => (sums.bytes += socket.bytesRead + socket.bytesWritten));
}

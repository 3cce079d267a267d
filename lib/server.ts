/** `npm start` and `npm run dev`: the platform and Next in one process. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import next from "next";

import { startPlatform } from "./compose/platform.ts";
import { frontOptions, guardTunnels, letIn, letSee, type Tunnel, upgradesOfNext } from "./front.ts";
import type { Running } from "./platform.ts";
import { DEFAULT_DEPLOYMENT } from "./protocol/names.ts";
import { WRITTEN_URL } from "./http/written-url.ts";
import { type Mount, routeOf } from "./rules/http/address.ts";
import { ADDRESS_HEADER, callerAddress, DEPLOYMENTS_ADDRESS } from "./rules/http/caller-address.ts";
import { openAnswers } from "./open-answers.ts";
import { limitPipelining, limitSlowness } from "./listen-pace.ts";
import type { Target } from "./rules/http/front.ts";
import { createThreadSockets } from "./thread-sockets.ts";
import { contentPolicy } from "./rules/http/content-policy.ts";
import { DEFAULT_PORT, EnvironmentError, readEnvironment, takeArguments } from "./env.ts";
import { tryItLine } from "./try-it.ts";

const USAGE = `Usage: npm start -- [--app <folder>] [--port <n>] [--host <address>] [--home <folder>]`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      app: { type: "string" },
      port: { type: "string" },
      host: { type: "string" },
      home: { type: "string" },
      dev: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  takeArguments(values);
  const dev = values.dev ?? false;
  const { HOST: host, PORT: port } = readEnvironment();
  const dir = resolve(import.meta.dirname, "..");
  const app = next({ dev, dir, hostname: host, port: port ?? DEFAULT_PORT, quiet: true, httpServer: upgradesOfNext });
  const [running] = await Promise.all([startPlatform({ watch: dev }), app.prepare()]);

  const answers = openAnswers();
  const front: Front = {
    answer: answerBy(running, app.getRequestHandler(), dev),
    guard(server) {
      guardTunnels(server, running.settings, { dev, take: tunnelsBy(running) });
      answers.of(server);
    },
  };
  const server = port === undefined ? await listenNear(front, host) : await listen(front, port, host);
  running.listening(ownOrigin(server.address()));
  const twin = host === "127.0.0.1" || host === "0.0.0.0" ? await listenBeside(front, server.address()) : undefined;
  announce(server.address(), twin ? "localhost" : host, running, port);

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    server.close();
    twin?.close();
    await running.stop();
    // Streams were told why they end (docs/decisions/043-streams-at-a-stop.md).
    await answers.sent(LAST_WORDS_MS);
    server.closeAllConnections();
    twin?.closeAllConnections();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
}

/** How long the last events of streams may take to leave, in ms. */
const LAST_WORDS_MS = 1_000;

/** Times in ms. A large upload may take longer than any fixed time for a request: its pace is limited in its place. */
const LIMITS = { keepAliveTimeout: 65_000, requestTimeout: 0, headersTimeout: 30_000, keepAlive: true };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

interface Front {
  answer: Answer;
  /** Of what is no request for an answer. */
  guard: (server: Server) => void;
}

/** Leads a request to its route, with the policy of the console's pages where it is one of these. */
function answerBy(running: Running, handle: Handler, dev: boolean): Answer {
  return (request, response) => {
    const { settings } = running;
    response.setHeader("x-content-type-options", "nosniff");
    const target = letIn(request, response, settings);
    if (!target) return;
    request.url = markAndRoute(running, request, target);
    const handOn = (): void => void handle(request, response);
    const goOn = settings.apiKey && triesKey(request) ? () => void countApart(running, request, handOn) : handOn;
    if (isBelow("/agents", request.url)) return goOn();
    if (!isBelow("/api", request.url) && !letSee(request, response, settings)) return;
    guardPage(request, response, dev);
    if (settings.apiKey) goOn();
    else void refuseDeployments(running, request, response, goOn);
  };
}

/** Notes on a request what later floors believe of it, and answers the route that it is led to. */
function markAndRoute({ platform, settings }: Running, request: IncomingMessage, { host, path }: Target): string {
  request.headers.host = host;
  request.headers[WRITTEN_URL] = path;
  request.headers[ADDRESS_HEADER] = addressOf(request, settings.trustProxy);
  const mountOf = (deployment: string): Mount => {
    const http = platform.find(deployment)?.config?.http;
    return { prefix: http?.mount_prefix, ownRoutes: http?.app !== undefined };
  };
  return routeOf(host, path, mountOf, settings.publicUrl);
}

/** Opens WebSockets of threads; says false of all others. */
function tunnelsBy(running: Running): (tunnel: Tunnel) => boolean {
  const sockets = createThreadSockets(running);
  return ({ target, refuse, ...tunnel }) => {
    const route = markAndRoute(running, tunnel.request, target);
    if (!sockets.has(route)) return false;
    const open = (): void => sockets.open({ ...tunnel, route }, refuse);
    if (running.settings.apiKey && triesKey(tunnel.request)) void countApart(running, tunnel.request, open);
    else open();
    return true;
  };
}

async function listen({ answer, guard }: Front, port: number, host: string): Promise<Server> {
  const server = createServer({ ...LIMITS, ...frontOptions }, limitPipelining(answer));
  guard(server);
  limitSlowness(server);
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, host, done);
  });
  return server;
}

/** Ports that are tried where nobody has named one. */
const NEAR = 20;

/** On the first port from the usual one on that is free, as another server may be there already. */
async function listenNear(front: Front, host: string): Promise<Server> {
  for (let port = DEFAULT_PORT; ; port++) {
    try {
      return await listen(front, port, host);
    } catch (error) {
      const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
      if (!isTaken || port === DEFAULT_PORT + NEAR) throw error;
    }
  }
}

/**
 * `localhost` is `::1` first, where this machine has that: code of a deployment that took the port there would be shown
 * in place of the console. Undefined where it can't be had.
 */
async function listenBeside(front: Front, address: ReturnType<Server["address"]>): Promise<Server | undefined> {
  if (address === null || typeof address === "string") return undefined;
  return await listen(front, address.port, "::1").catch(() => undefined);
}

const addresses = new WeakMap<Socket, string>();

/** To be called before Next, which adds the connection's address to what proxies have said. */
function addressOf({ socket, headers }: IncomingMessage, trustProxy: boolean): string {
  const known = trustProxy ? undefined : addresses.get(socket);
  if (known !== undefined) return known;
  const forwardedFor = [headers["x-forwarded-for"] ?? []].flat().join();
  const address = callerAddress({ peer: socket.remoteAddress, forwardedFor, trustProxy });
  addresses.set(socket, address);
  return address;
}

function isBelow(folder: string, url: string): boolean {
  return url.startsWith(`${folder}/`);
}

/** By connection: who is at its other end stays the same. */
const ofDeployments = new WeakMap<Socket, Promise<boolean>>();

function isOfDeployment({ isDeployment }: Running, socket: Socket): Promise<boolean> {
  const asked = ofDeployments.get(socket) ?? isDeployment(socket);
  ofDeployments.set(socket, asked);
  return asked;
}

/** Tells whether a request shows a key, or may be a try at one. */
function triesKey({ headers, url = "" }: IncomingMessage): boolean {
  return headers["x-api-key"] !== undefined || headers.authorization !== undefined || isBelow("/sign-in", url);
}

/** Counts wrong keys of a deployment's code for all deployments together, and for nobody else's address. */
async function countApart(running: Running, request: IncomingMessage, answer: () => void): Promise<void> {
  if (await isOfDeployment(running, request.socket)) request.headers[ADDRESS_HEADER] = DEPLOYMENTS_ADDRESS;
  answer();
}

/** Where no key keeps callers apart, code of deployments gets at deployments only, not at what manages them. */
async function refuseDeployments(
  running: Running,
  { socket }: IncomingMessage,
  response: ServerResponse,
  answer: () => void,
): Promise<void> {
  if (!(await isOfDeployment(running, socket))) return answer();
  response.writeHead(403, { "content-type": "text/plain; charset=utf-8" });
  response.end("Code of a deployment may call deployments (/agents/...), not what manages them");
}

/** Next takes the nonce for its own scripts from the request. */
function guardPage(request: IncomingMessage, response: ServerResponse, dev: boolean): void {
  const policy = contentPolicy(randomUUID(), dev);
  request.headers["content-security-policy"] = policy;
  response.setHeader("content-security-policy", policy);
  // A page of a deployment, which is of the same site, gets no hold on a page of the console, nor on its files.
  response.setHeader("cross-origin-opener-policy", "same-origin");
  response.setHeader("cross-origin-resource-policy", "same-origin");
}

/** Bound to every address, it answers at the loopback one too. */
function ownOrigin(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") return "";
  const host = address.address === "0.0.0.0" ? "127.0.0.1" : address.address === "::" ? "::1" : address.address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}

function announce(
  address: AddressInfo | string | null,
  host: string,
  { platform, settings, consoleLink = "" }: Running,
  wanted: number | undefined,
): void {
  const port = typeof address === "object" ? address?.port : undefined;
  const shown = host === "0.0.0.0" ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  const url = `http://${shown}:${port}`;
  if (wanted === undefined && port !== DEFAULT_PORT) {
    console.log(`\n  Another program has port ${DEFAULT_PORT}. For npx graphlib: export GRAPHLIB_URL=${url}`);
  }
  console.log(`\n  Console  ${url}${consoleLink}\n`);
  const deployment = platform.find(DEFAULT_DEPLOYMENT);
  if (!deployment) return;
  tryItLine(deployment, { url, keyed: settings.apiKey !== undefined }).then(
    (line) => line !== undefined && console.log(`  Try it   ${line}\n`),
    (error: unknown) => console.error(error),
  );
}

function explain(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message;
  if (error instanceof Error && "code" in error) {
    if (error.code === "EADDRINUSE") return "The port is in use: stop the other server, or set PORT to a free one.";
    if (error.code === "EACCES") return "The port may not be used by this user: set PORT to one above 1023.";
    if (String(error.code).startsWith("ERR_PARSE_ARGS")) return `${error.message}\n${USAGE}`;
  }
  return error instanceof Error ? error.message : String(error);
}

// Whoever read the output has gone (a closed terminal, `| head`): the server goes on, rather than fail at telling so.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

/** Would open Node's debugger to whoever may send it, code of deployments among them. */
process.on("SIGUSR1", () => undefined);

try {
  await main();
} catch (error) {
  console.error(`\n${explain(error)}\n`);
  process.exit(1);
}

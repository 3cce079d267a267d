/** `npm start` and `npm run dev`: the platform and Next in one process. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import next from "next";
import { startPlatform } from "./compose.ts";
import { WRITTEN_URL } from "./http/written-url.ts";
import { type Mount, routeOf } from "./rules/address.ts";
import { contentPolicy } from "./rules/content-policy.ts";
import { EnvironmentError, readEnvironment, takeArguments } from "./env.ts";

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
  const app = next({ dev, dir, hostname: host, port, quiet: true });
  const [running] = await Promise.all([startPlatform({ watch: dev }), app.prepare()]);

  const handle = app.getRequestHandler();
  const mountOf = (deployment: string): Mount => {
    const http = running.platform.find(deployment)?.config?.http;
    return { prefix: http?.mount_prefix, ownRoutes: http?.app !== undefined };
  };
  const server = createServer((request, response) => {
    const written = request.url ?? "/";
    request.headers[WRITTEN_URL] = written;
    request.url = routeOf(request.headers.host, written, mountOf);
    response.setHeader("x-content-type-options", "nosniff");
    if (!request.url.startsWith("/agents/")) guardPage(request, response, dev);
    void handle(request, response);
  });
  server.keepAliveTimeout = 65_000;
  // A streamed run may take longer than any fixed limit; the time for headers stays limited.
  server.requestTimeout = 0;
  await new Promise<void>((done, failed) => {
    server.once("error", failed);
    server.listen(port, host, done);
  });
  running.listening(ownOrigin(server.address()));
  announce(server.address(), host, running.settings.apiKey !== undefined);

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    server.close();
    await running.stop();
    server.closeAllConnections();
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => void stop());
}

/** Next takes the nonce for its own scripts from the request. */
function guardPage(request: IncomingMessage, response: ServerResponse, dev: boolean): void {
  const policy = contentPolicy(randomUUID(), dev);
  request.headers["content-security-policy"] = policy;
  response.setHeader("content-security-policy", policy);
}

/** Bound to every address, it answers at the loopback one too. */
function ownOrigin(address: AddressInfo | string | null): string {
  if (address === null || typeof address === "string") return "";
  const host = address.address === "0.0.0.0" ? "127.0.0.1" : address.address === "::" ? "::1" : address.address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}

function announce(address: AddressInfo | string | null, host: string, keyed: boolean): void {
  const port = typeof address === "object" ? address?.port : undefined;
  const shown = host === "127.0.0.1" || host === "0.0.0.0" ? "localhost" : host.includes(":") ? `[${host}]` : host;
  const url = `http://${shown}:${port}`;
  const key = keyed ? ` -H "x-api-key: $GRAPHLIB_API_KEY"` : "";
  const body = `{"assistant_id":"agent","input":{"messages":[{"role":"user","content":"What is 12 * 7?"}]},"stream_mode":"updates"}`;
  console.log(
    `\n  Console  ${url}\n\n  Try it   curl -N ${url}/runs/stream -H "content-type: application/json"${key} -d '${body}'\n`,
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

try {
  await main();
} catch (error) {
  console.error(`\n${explain(error)}\n`);
  process.exit(1);
}

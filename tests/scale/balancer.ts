/** A load balancer of the tests: each request goes to the next server that is ready. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request as send, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const CHECK_MS = 200;
const RETRY_MS = 50;
const GIVE_UP_MS = 30_000;

export interface Balancer {
  readonly url: string;
  /** Answers of servers with a status of 500 or more, and requests that no server took. */
  readonly failures: readonly string[];
  /** How often a server did not take a request, so that another one got it. */
  missed(): number;
  close(): Promise<void>;
}

export async function startBalancer(servers: readonly { url: string }[]): Promise<Balancer> {
  const failures: string[] = [];
  const ready = new Set<string>();
  const check = async (url: string): Promise<void> => {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
    // Versions without this path are ready when they answer.
    if (answer?.ok || answer?.status === 404) ready.add(url);
    else ready.delete(url);
    await answer?.body?.cancel();
  };
  const checking = setInterval(() => servers.forEach(({ url }) => void check(url)), CHECK_MS);
  await Promise.all(servers.map(({ url }) => check(url)));
  let turn = 0;
  let missed = 0;
  const nextOf = (): string | undefined => [...ready][turn++ % Math.max(1, ready.size)];

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const until = performance.now() + GIVE_UP_MS;
    for (;;) {
      const url = nextOf();
      const answer = url === undefined ? undefined : await forward(url, request, body);
      if (answer) {
        if ((answer.statusCode ?? 0) >= 500) failures.push(`${answer.statusCode} ${request.method} ${request.url}`);
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.once("error", () => response.destroy());
        response.once("close", () => answer.destroy());
        answer.pipe(response);
        return;
      }
      if (url !== undefined) {
        ready.delete(url);
        missed += 1;
      }
      if (performance.now() > until) break;
      await new Promise((later) => setTimeout(later, RETRY_MS));
    }
    failures.push(`no server ${request.method} ${request.url}`);
    response.writeHead(503).end();
  };

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    missed: () => missed,
    async close() {
      clearInterval(checking);
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Returns the answer; undefined when the server did not take the request. */
function forward(
  url: string,
  { method, url: path, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage | undefined> {
  return new Promise((done) => {
    const passed = send(`${url}${path}`, { method, headers: { ...headers, connection: "close" } });
    passed.once("response", done);
    // A request that a killed server may have begun is passed on too, as balancers do with those that may be repeated.
    passed.once("error", () => done(undefined));
    passed.end(body);
  });
}

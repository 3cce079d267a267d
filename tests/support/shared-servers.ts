/**
 * Servers that test files share, by application and environment. They are started by the process that starts the test files.
 * A file borrows one over a local connection and has it alone until the connection ends.
 */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import type { TestProject } from "vitest/node";
import { startServer, type TestServer, type TestServerOptions } from "./server.ts";
import { unexpectedErrors } from "./server-errors.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The port where servers are lent. */
    sharedServers: number;
  }
}

/** Files that request the same options are served by the same server. */
export type Wanted = Pick<TestServerOptions, "app" | "env" | "user">;

/** A line to a borrower: where its server is, then each text that the server writes, then that it was taken back. */
export type Lent =
  | Pick<TestServer, "url" | "pid" | "home">
  | { wrote: string; to: "output" | "errors" }
  | { failed: string }
  | { takenBack: true };

/** The most servers that wait for their next borrower. Each holds about 300 MB. */
const MOST_IDLE = 8;

interface Shared {
  readonly key: string;
  readonly server: TestServer;
}

const all = new Set<Shared>();
const idle: Shared[] = [];
const problems: string[] = [];
let listener: Server | undefined;

export async function setup(project: TestProject): Promise<void> {
  listener = createServer((socket) => {
    socket.on("error", () => undefined);
    void lend(socket);
  });
  await once(listener.listen(0, "127.0.0.1"), "listening");
  const address = listener.address();
  project.provide("sharedServers", typeof address === "object" && address ? address.port : 0);
}

export async function teardown(): Promise<void> {
  listener?.close();
  await Promise.all([...all].map(end));
  if (problems.length > 0) throw new Error(`Servers that test files shared:\n${problems.join("\n")}`);
}

async function lend(socket: Socket): Promise<void> {
  const send = (line: Lent): void => void socket.write(`${JSON.stringify(line)}\n`);
  const closed = once(socket, "close").then(() => undefined);
  const lines = createInterface({ input: socket });
  const next = (): Promise<unknown> => Promise.race([once(lines, "line"), closed]);
  const [order] = (await next()) as [string];
  try {
    // The order was written by `useServer`.
    const shared = await borrow(JSON.parse(order) as Wanted);
    const { url, pid, home } = shared.server;
    const forget = shared.server.onWrite((wrote, to) => send({ wrote, to }));
    send({ url, pid, home });
    await next();
    await takeBack(shared);
    forget();
    send({ takenBack: true });
  } catch (error) {
    send({ failed: String(error) });
  }
}

async function borrow(wanted: Wanted): Promise<Shared> {
  const key = JSON.stringify(wanted);
  const place = idle.findLastIndex((one) => one.key === key);
  const [kept] = place === -1 ? [] : idle.splice(place, 1);
  if (kept) return kept;
  const shared = { key, server: await startServer(wanted) };
  all.add(shared);
  problems.push(...unexpectedErrors(shared.server.errors(), []));
  return shared;
}

/** Waits until the server's earlier output has arrived. A server that does not answer is not lent again. */
async function takeBack(shared: Shared): Promise<void> {
  const isWell = await fetch(`${shared.server.url}/ok`).then(
    ({ ok }) => ok,
    () => false,
  );
  await new Promise(setImmediate);
  if (!isWell) return end(shared);
  idle.push(shared);
  if (idle.length > MOST_IDLE) await Promise.all(idle.splice(0, 1).map(end));
}

async function end(shared: Shared): Promise<void> {
  all.delete(shared);
  const before = shared.server.errors().length;
  const code = await shared.server.stop();
  problems.push(...unexpectedErrors(shared.server.errors().slice(before), []));
  if (code !== 0) problems.push(`The server of ${shared.key} ended with ${code}.`);
}

/** The server of a test file: one that files share, or one of its own. */
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { startServer, type TestServer, type TestServerOptions } from "./server.ts";
import { unexpectedErrors } from "./server-errors.ts";
import type { Lent, Wanted } from "./shared-servers.ts";

interface Expected {
  /** Errors that the server may log. Any other one fails the file. */
  errors?: readonly RegExp[];
}

/**
 * The server as tests see it. A shared one may hold threads, assistants and items of other files: tests look only at
 * their own.
 */
export interface UsedServer extends Pick<TestServer, "url" | "pid" | "home" | "output" | "errors"> {
  /** Lets the server log errors like this one. */
  expectError(pattern: RegExp): void;
}

export interface OwnServer extends UsedServer, Pick<TestServer, "crash" | "drain" | "stop" | "closeOutput"> {
  /** Starts a server on the home of the one that has ended. */
  startAgain(env?: Record<string, string>): Promise<void>;
}

/**
 * Has a server ready before the tests of the file, or of the `describe` around it, and fails them for every error that it logs
 * and that none of them expects. Files that end their server, or look at all that it holds, request one of their own.
 */
export function useServer(options: TestServerOptions & Expected & { own: true }): OwnServer;
export function useServer(options?: Wanted & Expected): UsedServer;
export function useServer({
  own,
  errors = [],
  ...wanted
}: TestServerOptions & Expected & { own?: true } = {}): UsedServer {
  const expected = [...errors];
  const used = own ? ownServer(wanted) : borrowedServer(wanted);
  beforeAll(() => used.begin());
  afterAll(async () => {
    await used.end();
    expect(unexpectedErrors(used.server.errors(), expected), "errors that the server logged").toEqual([]);
  });
  return Object.assign(used.server, { expectError: (pattern: RegExp) => void expected.push(pattern) });
}

function ownServer(options: TestServerOptions) {
  const started: TestServer[] = [];
  const current = (): TestServer => {
    const newest = started.at(-1);
    if (!newest) throw new Error("The server is there once the tests have begun.");
    return newest;
  };
  const start = async (more: TestServerOptions = {}): Promise<void> => {
    started.push(await startServer({ ...options, ...more }));
  };
  const server = {
    get url() {
      return current().url;
    },
    get pid() {
      return current().pid;
    },
    get home() {
      return current().home;
    },
    output: () => current().output(),
    errors: () => started.map((one) => one.errors()).join(""),
    crash: () => current().crash(),
    drain: () => current().drain(),
    stop: () => current().stop(),
    closeOutput: () => current().closeOutput(),
    startAgain: (env: Record<string, string> = {}) => start({ home: current().home, env: { ...options.env, ...env } }),
  };
  return { server, begin: () => start(), end: () => current().stop() };
}

function borrowedServer(wanted: Wanted) {
  let lent: Pick<TestServer, "url" | "pid" | "home"> | undefined;
  const written = { output: "", errors: "" };
  const socket = { end: (): Promise<void> => Promise.resolve() };
  const current = () => {
    if (!lent) throw new Error("The server is there once the tests have begun.");
    return lent;
  };
  const begin = (): Promise<void> => {
    const connection = connect(inject("sharedServers"), "127.0.0.1");
    const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
    const { promise: over, resolve: takenBack, reject: failed } = Promise.withResolvers<void>();
    createInterface({ input: connection }).on("line", (text) => {
      // It was written by `lend`.
      const line = JSON.parse(text) as Lent;
      if ("url" in line) {
        lent = line;
        resolve();
      } else if ("wrote" in line) {
        written.output += line.wrote;
        if (line.to === "errors") written.errors += line.wrote;
      } else if ("takenBack" in line) takenBack();
      else for (const refuse of [reject, failed]) refuse(new Error(line.failed));
    });
    over.catch(() => undefined);
    socket.end = async () => {
      connection.write("\n");
      await over;
      connection.end();
      await once(connection, "close");
    };
    connection.on("error", reject);
    connection.write(`${JSON.stringify(wanted)}\n`);
    return begun;
  };
  const server = {
    get url() {
      return current().url;
    },
    get pid() {
      return current().pid;
    },
    get home() {
      return current().home;
    },
    output: () => written.output,
    errors: () => written.errors,
  };
  return { server, begin, end: () => socket.end() };
}

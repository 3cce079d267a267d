import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registerGroup } from "../../lib/drivers/reaper.ts";
import { isConfinedCaller } from "../../lib/drivers/workers/callers.ts";

/**
 * Connects for each line of its input, and closes the connection at the next line. The socket comes after many other
 * descriptors, so that a search for it takes a while.
 */
const CALLER = `
  const { openSync } = require("node:fs");
  const { connect } = require("node:net");
  for (let opened = 0; opened < 3500; opened++) openSync("/dev/null");
  let socket;
  process.stdin.on("data", () => {
    if (socket) socket.destroy();
    socket = socket ? undefined : connect(Number(process.argv[1]), "127.0.0.1");
  });
`;
/** Each round hangs up a little later: before, during and after the search. */
const ROUNDS = 40;

/** Connects to itself, and prints whether it is taken for code of a deployment: with descriptors left, and with none. */
const EXHAUSTED = `
  const { openSync } = await import("node:fs");
  const { once } = await import("node:events");
  const { connect, createServer } = await import("node:net");
  const { registerGroup } = await import(process.argv[1]);
  const { isConfinedCaller } = await import(process.argv[2]);
  registerGroup(Number(process.argv[3]), { fenced: false });
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const [peer] = await Promise.all([once(server, "connection"), connect(server.address().port, "127.0.0.1")]);
  const before = await isConfinedCaller(peer[0]);
  let code;
  while (code === undefined) {
    try {
      openSync("/dev/null");
    } catch (error) {
      code = error.code;
    }
  }
  console.log(before, code, await isConfinedCaller(peer[0]));
  process.exit();
`;
const moduleOf = (path: string): string => new URL(`../../lib/drivers/${path}`, import.meta.url).href;

describe.runIf(process.platform === "linux")("a caller of the server's own user", () => {
  let server: Server;
  const callers: ChildProcessByStdio<Writable, null, null>[] = [];
  beforeAll(async () => {
    server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => {
    for (const caller of callers) caller.kill("SIGKILL");
    server.close();
  });

  function startCaller(): ChildProcessByStdio<Writable, null, null> {
    const { port } = server.address() as AddressInfo;
    const caller = spawn(process.execPath, ["-e", CALLER, String(port)], {
      stdio: ["pipe", "ignore", "inherit"],
      detached: true,
    });
    callers.push(caller);
    return caller;
  }

  async function connectionOf(caller: ChildProcessByStdio<Writable, null, null>): Promise<Socket> {
    const connected = once(server, "connection") as Promise<[Socket]>;
    caller.stdin.write("\n");
    const [socket] = await connected;
    return socket.on("error", () => undefined).resume();
  }

  test("is code of a deployment if a confined worker holds the connection, and else is not", async () => {
    const [worker, other] = [startCaller(), startCaller()];
    registerGroup(worker.pid ?? 0, { fenced: false });
    expect(await isConfinedCaller(await connectionOf(worker))).toBe(true);
    expect(await isConfinedCaller(await connectionOf(other))).toBe(false);
  });

  test("is code of a deployment if it closes the connection while it is searched for", async () => {
    const worker = startCaller();
    registerGroup(worker.pid ?? 0, { fenced: false });
    for (let round = 0; round < ROUNDS; round++) {
      const peer = await connectionOf(worker);
      const answer = isConfinedCaller(peer);
      const hangUpAt = performance.now() + round / 10;
      while (performance.now() < hangUpAt) await nextTurn();
      worker.stdin.write("\n");
      expect(await answer).toBe(true);
      if (!peer.closed) await once(peer, "close");
    }
  });

  test("is taken for code of a deployment if the server has no descriptor left to look it up", async () => {
    const worker = startCaller();
    const modules = [moduleOf("reaper.ts"), moduleOf("workers/callers.ts")];
    const node = [process.execPath, "--input-type=module", "-e", EXHAUSTED, ...modules, String(worker.pid)];
    const { stdout } = await promisify(execFile)("sh", ["-c", 'ulimit -n 100; exec "$@"', "sh", ...node]);
    expect(stdout).toBe("false EMFILE true\n");
  });
});

import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import type { Writable } from "node:stream";
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
  for (let opened = 0; opened < 900; opened++) openSync("/dev/null");
  let socket;
  process.stdin.on("data", () => {
    if (socket) socket.destroy();
    socket = socket ? undefined : connect(Number(process.argv[1]), "127.0.0.1");
  });
`;
const ROUNDS = 20;

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
      worker.stdin.write("\n");
      expect(await answer).toBe(true);
      if (!peer.closed) await once(peer, "close");
    }
  });
});

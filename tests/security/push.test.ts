import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createOutgoing, type OutgoingOptions } from "../../lib/drivers/outgoing.ts";
import { SLOTS_A_HOST } from "../../lib/rules/webhooks/receivers.ts";
import { rawA2a } from "../api/a2a-raw.ts";
import { type Receiver, startReceiver } from "../api/push-receiver.ts";
import { startServer, type TestServer } from "../support/server.ts";

const servers: { server: Server; sockets: Set<Socket> }[] = [];
/** Starts a receiver that runs `behave` for each connection after its first bytes. */
async function receiver(behave: (socket: Socket) => void, host = "127.0.0.1", port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => behave(socket));
  });
  server.listen(port, host);
  await once(server, "listening");
  servers.push({ server, sockets });
  return (server.address() as AddressInfo).port;
}
afterEach(() => {
  for (const { server, sockets } of servers.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

/** Writes a text repeatedly until the other end closes. */
function endlessly(socket: Socket, text: string): void {
  while (!socket.destroyed && socket.write(text));
  if (!socket.destroyed) socket.once("drain", () => endlessly(socket, text));
}
function trickle(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.once("close", () => clearInterval(timer));
}

/** Longer than any of these tests takes, so that a call which ends earlier was ended for another reason. */
const PATIENCE_MS = 300_000;
const open: OutgoingOptions = { allowPrivate: true, self: () => undefined, timeoutMs: PATIENCE_MS };
async function post(port: number, options: Partial<OutgoingOptions> = {}, scheme = "http") {
  const url = `${scheme}://127.0.0.1:${port}/`;
  return await createOutgoing({ ...open, ...options }).post({ id: "1", url, body: "{}", at: 0 });
}

const OK = "HTTP/1.1 200 OK\r\n";

describe("a receiver", () => {
  test.each<[string, string, (socket: Socket) => void]>([
    [
      "answers with an endless body",
      "answered",
      (socket) => endlessly(socket.resume(), `${OK}\r\n${"x".repeat(65_536)}`),
    ],
    [
      "answers, and its body trickles",
      "answered",
      (socket) => trickle(socket, socket.bytesWritten ? "x" : `${OK}\r\n`),
    ],
    [
      "answers with a packed body",
      "answered",
      (socket) => void socket.end(`${OK}content-encoding: gzip\r\n\r\n\x1f\x8b`),
    ],
    [
      "answers in chunks with endless extensions",
      "answered",
      (socket) => {
        socket.write(`${OK}transfer-encoding: chunked\r\n\r\n1;`);
        endlessly(socket, "x".repeat(65_536));
      },
    ],
    [
      "answers with an endless trailer",
      "answered",
      (socket) => {
        socket.write(`${OK}transfer-encoding: chunked\r\n\r\n0\r\na: `);
        endlessly(socket, "x".repeat(65_536));
      },
    ],
    ["answers with endless headers", "lost", (socket) => endlessly(socket, `${OK}${"a: b\r\n".repeat(10_000)}`)],
    [
      "answers with an endless header",
      "lost",
      (socket) => {
        socket.write(`${OK}a: `);
        endlessly(socket, "x".repeat(65_536));
      },
    ],
    [
      "announces its answer without end",
      "lost",
      (socket) => endlessly(socket, "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1_000)),
    ],
    ["answers in another protocol", "lost", (socket) => void socket.end("SSH-2.0-x\r\n")],
    [
      "wants another protocol",
      "lost",
      (socket) => void socket.write("HTTP/1.1 101 x\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    ],
    ["resets the connection", "lost", (socket) => void socket.resetAndDestroy()],
    ["hangs up", "lost", (socket) => void socket.destroy()],
  ])("that %s ends the call", async (_, was, behave) => {
    expect((await post(await receiver(behave))).was).toBe(was);
  });

  test("that never answers, or answers byte by byte, is given up at the timeout", async () => {
    const silent = await receiver(() => undefined);
    const slow = await receiver((socket) => trickle(socket, "H"));
    const slower = await receiver((socket) => {
      socket.write(OK);
      trickle(socket, "a: b\r\n");
    });
    for (const port of [silent, slow, slower]) expect((await post(port, { timeoutMs: 300 })).was).toBe("lost");
  });

  test("that does not use TLS is lost", async () => {
    const port = await receiver((socket) => endlessly(socket, "\u0016\u0003garbage".repeat(1_000)));
    expect((await post(port, {}, "https")).was).toBe("lost");
  });

  test("that redirects is not followed", async () => {
    let came = 0;
    const inner = await receiver(() => came++);
    for (const status of [301, 302, 303, 307, 308]) {
      const head = `HTTP/1.1 ${status} x\r\nlocation: http://127.0.0.1:${inner}/\r\ncontent-length: 0\r\n\r\n`;
      expect(await post(await receiver((socket) => void socket.end(head)))).toEqual({ was: "answered", status });
    }
    expect(came).toBe(0);
  });

  test("whose name changes its address is resolved once, and the call goes to that address", async () => {
    const reached: string[] = [];
    const answer = (who: string) => (socket: Socket) => {
      reached.push(who);
      socket.end(`${OK}content-length: 0\r\n\r\n`);
    };
    const port = await receiver(answer("first"), "127.0.0.2");
    await receiver(answer("second"), "127.0.0.1", port);
    const addresses = ["127.0.0.2", "127.0.0.1"];
    const resolve = (): Promise<string[]> => Promise.resolve(addresses.splice(0, 1));
    const outgoing = createOutgoing({ ...open, resolve });
    await outgoing.post({ id: "1", url: `http://changing.example:${port}/`, body: "{}", at: 0 });
    expect(reached).toEqual(["first"]);
    expect(addresses).toEqual(["127.0.0.1"]);
  });

  test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254", "64:ff9b::7f00:1", "2002:7f00:1::"])(
    "whose name has %s among its addresses is refused",
    async (address) => {
      const resolve = (): Promise<string[]> => Promise.resolve(["93.184.216.34", address]);
      const outgoing = createOutgoing({ ...open, allowPrivate: false, resolve });
      const posted = await outgoing.post({ id: "1", url: "https://mixed.example/", body: "{}", at: 0 });
      expect(posted.was).toBe("refused");
    },
  );

  test.each([
    "0177.0.0.1",
    "017700000001",
    "0x7f000001",
    "2130706433",
    "127.1",
    "0",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "127.0.0.1.",
    "LOCALHOST.",
    "[::]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
  ])("%s is another spelling of a private address, and is refused", async (host) => {
    const outgoing = createOutgoing({ ...open, allowPrivate: false, resolve: () => Promise.resolve(["127.0.0.1"]) });
    expect((await outgoing.post({ id: "1", url: `https://${host}/`, body: "{}", at: 0 })).was).toBe("refused");
  });
});

describe("receivers that hang", () => {
  let good: Receiver;
  let server: TestServer;
  beforeAll(async () => {
    const app = join(import.meta.dirname, "../api/apps/pushed");
    const env = { GRAPHLIB_A2A_PUSH: "true", GRAPHLIB_ALLOW_PRIVATE_WEBHOOKS: "true" };
    [good, server] = await Promise.all([startReceiver(), startServer({ app, env })]);
  });
  afterAll(async () => {
    await server.stop();
    good.close();
  });

  test("hold a few connections each, and do not delay other deliveries", async () => {
    const held = new Map<number, Set<Socket>>();
    const ports: number[] = [];
    for (let n = 0; n < 3; n++) {
      const port: number = await receiver((socket) => {
        const sockets = held.get(port) ?? new Set();
        held.set(port, sockets.add(socket));
        socket.once("close", () => sockets.delete(socket));
      });
      ports.push(port);
    }
    const { request } = rawA2a(() => server);
    const send = (url: string) =>
      request("echo", "SendMessage", {
        message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "hello" }] },
        configuration: { taskPushNotificationConfig: { url } },
      });
    // Each task has several deliveries, and the first must be accepted before the next is sent.
    for (let n = 0; n < 30; n++) await send(`http://localhost:${ports[n % 3]}/${n}`);
    await expect.poll(() => held.size, { timeout: 60_000 }).toBe(3);
    await send(good.url("place"));
    await good.received("place", 1);
    const counts = [...held.values()].map((sockets) => sockets.size);
    for (const count of counts) expect(count).toBeLessThanOrEqual(SLOTS_A_HOST);
    // They still hang, so the delivery did not wait for them.
    expect(Math.max(...counts)).toBeGreaterThan(0);
  }, 300_000);
});

import { createServer, request, type RequestListener } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import {
  type InstallProxy,
  type InstallProxyOptions,
  openInstallProxy,
} from "../../lib/drivers/builds/install-proxy.ts";
import { authorityOf } from "../../lib/rules/packages/proxies.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Both addresses belong to this machine; the tests treat only the first as public. */
const PUBLIC = "127.0.0.2";
const PRIVATE = "127.0.0.1";
const isPublic = (address: string): boolean => address === PUBLIC;

async function listen<S extends Server>(server: S, host: string, port = 0): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((done) => server.listen(port, host, done));
  open.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  return (server.address() as AddressInfo).port;
}

/** Starts a server that returns its own address. */
async function host(address: string, port = 0) {
  const requests: string[] = [];
  const server = createServer((incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url} ${incoming.headers.host}`);
    response.setHeader("x-own", "1");
    response.end(address);
  });
  let connections = 0;
  server.on("connection", () => connections++);
  const at = await listen(server, address, port);
  return { port: at, requests, connections: () => connections };
}

interface ProxyUnderTest extends InstallProxy {
  reports: string[];
}

async function proxyWith(options: Partial<InstallProxyOptions> = {}): Promise<ProxyUnderTest> {
  const reports: string[] = [];
  const proxy = await openInstallProxy({
    allowsAddress: isPublic,
    resolve: () => Promise.resolve([PUBLIC]),
    trusted: new Set(),
    proxies: { direct: [] },
    refused: async (target) => void reports.push(`refused ${authorityOf(target)}`),
    unreachable: (target, code) => void reports.push(`${code} ${authorityOf(target)}`),
    ...options,
  });
  open.push({ close: () => proxy.close().catch(() => undefined) });
  return { ...proxy, reports };
}

const credential = ({ url }: { url: string }): string => {
  const { username, password } = new URL(url);
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
};
const portOf = ({ url }: { url: string }): number => Number(new URL(url).port);

/** Resolves to the status and the body. */
function get(
  proxy: InstallProxy,
  url: string,
  authorization = credential(proxy),
): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const headers = { host: "elsewhere", "proxy-authorization": authorization };
  const outgoing = request({ host: PRIVATE, port: portOf(proxy), path: url, headers, agent: false });
  outgoing.once("error", reject).once("response", (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
    response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
  });
  outgoing.end();
  return promise;
}

/** Starts a server that responds with these bytes to every connection. */
async function answering(text: string): Promise<number> {
  return await listen(
    createTcpServer((socket) => socket.on("error", () => undefined).once("data", () => socket.end(text, "latin1"))),
    PUBLIC,
  );
}

/** Sends these bytes and resolves to everything that comes back. */
function send(proxy: InstallProxy, text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let all = "";
  const socket = connect(portOf(proxy), PRIVATE, () => socket.write(text));
  socket.setEncoding("latin1").on("data", (piece: string) => (all += piece));
  socket.on("error", () => undefined).once("close", () => resolve(all));
  return promise;
}

function tunnel(proxy: InstallProxy, authority: string, authorization = credential(proxy)): Promise<string> {
  const head = `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: ${authorization}\r\n\r\n`;
  return send(proxy, `${head}GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
}

describe.runIf(process.platform === "linux")("the proxy of an install", () => {
  test.each(["000 No", "099 No", "101 Switching", "600 More", "999 More"])(
    "responds 502 when a host responds %s",
    async (line) => {
      const port = await answering(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`);
      const proxy = await proxyWith();
      expect(await get(proxy, `http://some.example:${port}/`)).toEqual({ status: 502, text: "" });
      expect(proxy.reports).toEqual([expect.stringMatching(/^E[A-Z]+ some\.example:\d+$/)]);
    },
  );

  test.each(["Fine", "\u0001", "\u007f", "ÿ", ""])("does not forward a host's reason phrase: %j", async (reason) => {
    const port = await answering(`HTTP/1.1 200 ${reason}\r\nContent-Length: 2\r\n\r\nok`);
    const proxy = await proxyWith();
    expect(await get(proxy, `http://some.example:${port}/`)).toEqual({ status: 200, text: "ok" });
  });

  test("connects to public hosts, with TLS and without, and counts", async () => {
    const there = await host(PUBLIC);
    const proxy = await proxyWith();
    expect(await get(proxy, `http://some.example:${there.port}/a?b`)).toEqual({ status: 200, text: PUBLIC });
    expect(await tunnel(proxy, `some.example:${there.port}`)).toMatch(
      /^HTTP\/1\.1 200 .*\r\n\r\nHTTP\/1\.1 200 OK[^]*127\.0\.0\.2/,
    );
    expect(there.requests).toEqual([`GET /a?b some.example:${there.port}`, "GET / x"]);
    expect(await proxy.close()).toEqual([
      { authority: `some.example:${there.port}`, connections: 2, bytes: expect.any(Number) },
    ]);
    await expect(get(proxy, "http://some.example/")).rejects.toThrow("ECONNREFUSED");
  });

  test("connects to no other, however it is named, and reports it once", async () => {
    const here = await host(PRIVATE);
    const proxy = await proxyWith({ resolve: () => Promise.resolve([PUBLIC, PRIVATE]) });
    for (const name of [PRIVATE, "2130706433", "0x7f.1", "some.example", "localhost", "[::1]", "[::ffff:127.0.0.1]"]) {
      const authority = `${name}:${here.port}`;
      expect((await get(proxy, `http://${authority}/`)).status).toBe(403);
      expect(await tunnel(proxy, authority)).toMatch(/^HTTP\/1\.1 403 /);
    }
    expect(here.connections()).toBe(0);
    const names = [PRIVATE, "some.example", "localhost", "[::1]", "[::ffff:7f00:1]"];
    expect(proxy.reports).toEqual(names.map((name) => `refused ${name}:${here.port}`));
  });

  test("connects to the address that it has checked, whatever the next lookup returns", async () => {
    const there = await host(PUBLIC);
    const here = await host(PRIVATE, there.port);
    const answers = [PUBLIC, PRIVATE, PUBLIC, PRIVATE];
    const proxy = await proxyWith({ resolve: () => Promise.resolve([answers.shift() ?? PRIVATE]) });
    const url = `http://some.example:${there.port}/`;
    expect(await get(proxy, url)).toEqual({ status: 200, text: PUBLIC });
    expect((await get(proxy, url)).status).toBe(403);
    expect(await tunnel(proxy, `some.example:${there.port}`)).toContain(PUBLIC);
    expect(await tunnel(proxy, `some.example:${there.port}`)).toMatch(/^HTTP\/1\.1 403 /);
    expect([there.connections(), here.connections(), answers.length]).toEqual([2, 0, 0]);
  });

  test("refuses requests without its password", async () => {
    const there = await host(PUBLIC);
    const proxy = await proxyWith();
    for (const authorization of ["", "Basic ", `Basic ${Buffer.from("graphlib:").toString("base64")}`]) {
      expect((await get(proxy, `http://some.example:${there.port}/`, authorization)).status).toBe(407);
      expect(await tunnel(proxy, `some.example:${there.port}`, authorization)).toMatch(
        /^HTTP\/1\.1 407 [^]*Basic realm/,
      );
    }
    expect(there.connections()).toBe(0);
    const other = await proxyWith();
    expect(other.password).not.toBe(proxy.password);
  });

  test("allows any address of the operator's registry, at its port alone", async () => {
    const [registry, other] = [await host(PRIVATE), await host(PRIVATE)];
    const proxy = await proxyWith({
      trusted: new Set([`npm.internal:${registry.port}`]),
      resolve: () => Promise.resolve([PRIVATE]),
    });
    expect((await get(proxy, `http://npm.internal:${registry.port}/x`)).status).toBe(200);
    expect((await get(proxy, `http://npm.internal:${other.port}/x`)).status).toBe(403);
    expect(other.connections()).toBe(0);
  });

  test("responds to invalid and failed requests, and goes on", async () => {
    const proxy = await proxyWith({
      resolve: (name) => (name === "gone.example" ? Promise.reject(new Error("no")) : Promise.resolve([PUBLIC])),
    });
    const closed = await host(PUBLIC);
    await open.splice(-1)[0]?.close();
    expect((await get(proxy, "/path")).status).toBe(400);
    expect((await get(proxy, "https://some.example/")).status).toBe(400);
    expect(await tunnel(proxy, "some.example")).toMatch(/^HTTP\/1\.1 400 /);
    expect((await get(proxy, `http://some.example:${closed.port}/`)).status).toBe(502);
    expect(await tunnel(proxy, "gone.example:443")).toMatch(/^HTTP\/1\.1 502 ENOTFOUND/);
    expect(await send(proxy, `GET http://some.example/ HTTP/1.1\r\nx: ${"y".repeat(40_000)}\r\n\r\n`)).not.toContain(
      "200",
    );
    expect(await send(proxy, "\u0000\u0001nonsense\r\n\r\n")).not.toContain("200");
    expect(proxy.reports).toEqual([`ECONNREFUSED some.example:${closed.port}`, "ENOTFOUND gone.example:443"]);
    const there = await host(PUBLIC);
    expect((await get(proxy, `http://some.example:${there.port}/`)).status).toBe(200);
  });

  test("closes all connections when the install ends", async () => {
    const silent = createTcpServer(() => undefined);
    const port = await listen(silent, PUBLIC);
    const proxy = await proxyWith();
    const pending = [tunnel(proxy, `some.example:${port}`), get(proxy, `http://some.example:${port}/`)];
    const over = Promise.allSettled(pending);
    await new Promise<void>((begun) =>
      silent.on("connection", () => silent.getConnections((_, n) => n === 2 && begun())),
    );
    expect((await proxy.close())[0]?.connections).toBe(2);
    expect((await over).map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });
});

describe.runIf(process.platform === "linux")("the operator's own proxy", () => {
  /** Starts a proxy without password that responds in place of the host. */
  async function upstream() {
    const requests: string[] = [];
    const answer: RequestListener = (incoming, response) => {
      requests.push(`${incoming.method} ${incoming.url} ${incoming.headers["proxy-authorization"]}`);
      response.end("from the proxy");
    };
    const server = createServer(answer).on("connect", (incoming, socket: Socket) => {
      requests.push(`${incoming.method} ${incoming.url} ${incoming.headers["proxy-authorization"]}`);
      if (String(incoming.url).startsWith("forbidden")) socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      else socket.end("HTTP/1.1 200 OK\r\n\r\nfrom the tunnel");
    });
    const port = await listen(server, PRIVATE);
    return { requests, url: `http://me:pass@${PRIVATE}:${port}` };
  }
  const basic = `Basic ${Buffer.from("me:pass").toString("base64")}`;

  test("is used, resolves names that this machine cannot, and does not lead to private hosts", async () => {
    const { requests, url } = await upstream();
    const here = await host(PRIVATE);
    const proxy = await proxyWith({
      proxies: { http: url, https: url, direct: ["direct.example"] },
      resolve: (name) =>
        name === "private.example" ? Promise.resolve([PRIVATE]) : Promise.reject(new Error("unknown")),
    });
    expect(await get(proxy, "http://some.example/a")).toEqual({ status: 200, text: "from the proxy" });
    expect(await tunnel(proxy, "some.example:443")).toContain("from the tunnel");
    expect(await tunnel(proxy, "forbidden.example:443")).toMatch(/^HTTP\/1\.1 502 EPROXY403/);
    for (const name of ["private.example", PRIVATE, "localhost"])
      expect((await get(proxy, `http://${name}:${here.port}/`)).status).toBe(403);
    expect(await tunnel(proxy, "direct.example:443")).toMatch(/^HTTP\/1\.1 502 ENOTFOUND/);
    expect(requests).toEqual([
      `GET http://some.example:80/a ${basic}`,
      `CONNECT some.example:443 ${basic}`,
      `CONNECT forbidden.example:443 ${basic}`,
    ]);
  });

  test("of an unknown kind is reported", async () => {
    const proxy = await proxyWith({ proxies: { https: "socks5://127.0.0.1:1", direct: [] } });
    expect(await tunnel(proxy, "some.example:443")).toMatch(/^HTTP\/1\.1 502 EPROXY/);
    expect(proxy.reports).toEqual(["EPROXY some.example:443"]);
  });
});

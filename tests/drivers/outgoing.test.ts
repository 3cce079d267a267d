import { createHmac } from "node:crypto";
import { getEventListeners } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isPublic, resolveAddresses } from "../../lib/drivers/addresses.ts";
import { createOutgoing, type OutgoingOptions } from "../../lib/drivers/outgoing.ts";

interface Received {
  url?: string;
  host?: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let receiver: Server;
let port: number;
let received: Received[];
let answer: RequestListener;
beforeEach(async () => {
  received = [];
  answer = (_, response) => void response.writeHead(204).end();
  receiver = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.once("end", () => {
      received.push({ url: request.url, host: request.headers.host, headers: request.headers, body });
      answer(request, response);
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
  port = (receiver.address() as AddressInfo).port;
});
afterEach(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const at = Date.UTC(2026, 10, 21);
/** Posts with a resolver of this test. Also returns the hosts that were resolved. */
async function post(url: string, options: Partial<OutgoingOptions> & { addresses?: string[] } = {}) {
  const resolved: string[] = [];
  const outgoing = createOutgoing({
    allowPrivate: false,
    self: () => undefined,
    resolve: (host) => {
      resolved.push(host);
      return Promise.resolve(options.addresses ?? ["127.0.0.1"]);
    },
    ...options,
  });
  const posted = await outgoing.post({ id: "run-1", url, body: '{"a":"ü"}', at });
  return { posted, resolved };
}
const open = { allowPrivate: true };

test("a lookup leaves no listener on its signal, and fails at once with one that is aborted", async () => {
  const { signal } = new AbortController();
  for (const find of [() => Promise.resolve(["1.1.1.1"]), () => Promise.reject(new Error("ENOTFOUND"))])
    await resolveAddresses("host.example", find, signal).catch(() => undefined);
  expect(getEventListeners(signal, "abort")).toEqual([]);
  const never = () => new Promise<string[]>(() => undefined);
  await expect(resolveAddresses("host.example", never, AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
});

describe("a delivery", () => {
  test("arrives as JSON at the resolved address, with the host name of the URL", async () => {
    const { posted, resolved } = await post(`http://receiver.invalid:${port}/hook?a=1`, open);
    expect(posted).toEqual({ was: "answered", status: 204 });
    expect(resolved).toEqual(["receiver.invalid"]);
    expect(received).toMatchObject([
      {
        url: "/hook?a=1",
        host: `receiver.invalid:${port}`,
        body: '{"a":"ü"}',
        headers: { "content-type": "application/json", "webhook-id": "run-1", "webhook-timestamp": String(at / 1000) },
      },
    ]);
    expect(received[0]?.headers).not.toHaveProperty("webhook-signature");
  });

  test("carries the application's headers, which replace no required ones, and a signature", async () => {
    const headers = { authorization: "Bearer x", "content-type": "text/evil" };
    const key = Buffer.from("0123456789abcdef");
    await post(`http://receiver.invalid:${port}/`, {
      ...open,
      headers,
      secret: `whsec_${key.toString("base64")}`,
    });
    const digest = createHmac("sha256", key)
      .update(`run-1.${at / 1000}.{"a":"ü"}`)
      .digest("base64");
    expect(received[0]?.headers).toMatchObject({
      authorization: "Bearer x",
      "content-type": "application/json",
      "webhook-signature": `v1,${digest}`,
    });
  });

  test("to a path goes to this server", async () => {
    const self = () => ({ url: `http://127.0.0.1:${port}/agents/default`, headers: { "x-pass": "let me in" } });
    expect((await post("/own/hook", { self })).posted).toEqual({ was: "answered", status: 204 });
    expect(received[0]).toMatchObject({ url: "/agents/default/own/hook", headers: { "x-pass": "let me in" } });
    expect((await post("/own/hook")).posted.was).toBe("lost");
  });

  test("is not redirected", async () => {
    answer = (_, response) => void response.writeHead(307, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
    expect((await post(`http://receiver.invalid:${port}/`, open)).posted).toEqual({ was: "answered", status: 307 });
    expect(received).toHaveLength(1);
  });

  test("ends when the response is endless, or when none comes", async () => {
    answer = (_, response) => {
      const more = (): void => void (response.destroyed || response.write("x".repeat(16_384), more));
      more();
    };
    expect((await post(`http://receiver.invalid:${port}/`, open)).posted).toEqual({ was: "answered", status: 200 });
    answer = () => undefined;
    expect((await post(`http://receiver.invalid:${port}/`, { ...open, timeoutMs: 50 })).posted.was).toBe("lost");
    const never = { resolve: () => new Promise<string[]>(() => undefined), timeoutMs: 50 };
    expect((await post("http://receiver.invalid/", { ...open, ...never })).posted.was).toBe("lost");
  });

  test("is lost when the host is unknown, closes the connection, or does not speak TLS", async () => {
    const unknown = { resolve: () => Promise.reject(Object.assign(new Error("secret"), { code: "ENOTFOUND" })) };
    expect((await post("http://x.invalid/", { ...open, ...unknown })).posted).toEqual({
      was: "lost",
      why: "ENOTFOUND",
    });
    expect((await post("http://x.invalid/", { ...open, addresses: [] })).posted.was).toBe("lost");
    expect((await post(`https://127.0.0.1:${port}/`, open)).posted.was).toBe("lost");
    answer = (request) => void request.socket.destroy();
    expect((await post(`http://127.0.0.1:${port}/`, open)).posted.was).toBe("lost");
  });
});

describe("unless private hosts are allowed", () => {
  const secret = [
    ["10.1.2.3", "private"],
    ["172.16.0.1", "private"],
    ["192.168.0.1", "private"],
    ["127.0.0.1", "loopback"],
    ["0.0.0.0", "this host"],
    ["169.254.169.254", "link-local, where clouds keep secrets"],
    ["100.64.0.1", "carrier-grade NAT"],
    ["224.0.0.1", "multicast"],
    ["255.255.255.255", "broadcast"],
    ["198.18.0.1", "benchmarks"],
    ["192.0.2.1", "documentation"],
    ["240.0.0.1", "reserved"],
    ["::1", "loopback"],
    ["::", "this host"],
    ["fe80::1", "link-local"],
    ["fc00::1", "unique local"],
    ["fec0::1", "site-local"],
    ["ff02::1", "multicast"],
    ["::ffff:10.0.0.1", "a mapped address"],
    ["::ffff:8.8.8.8", "a mapped address"],
    ["::10.0.0.1", "a compatible address"],
    ["64:ff9b::a00:1", "a translated address"],
    ["64:ff9b:1::a00:1", "a translated address"],
    ["2002:a00:1::", "6to4"],
    ["2001::1", "Teredo"],
    ["2001:db8::1", "documentation"],
    ["5f00::1", "segment routing"],
  ];

  test.each(secret)("%s (%s) is refused, written out or as what a name resolves to", async (address) => {
    const written = address.includes(":") ? `[${address}]` : address;
    expect(isPublic(address)).toBe(false);
    expect((await post(`http://${written}:${port}/`)).posted.was).toBe("refused");
    expect((await post(`http://name.invalid:${port}/`, { addresses: [address] })).posted.was).toBe("refused");
    expect((await post(`http://name.invalid:${port}/`, { addresses: ["8.8.8.8", address] })).posted.was).toBe(
      "refused",
    );
    expect(received).toEqual([]);
  });

  test.each([
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://localhost/",
    "http://x.localhost./",
  ])("%s is refused when it is named, however it is spelled", (url) => {
    const { problem } = createOutgoing({ allowPrivate: false, self: () => undefined });
    expect(problem(url)).toBe("expected a public host");
    expect(createOutgoing({ allowPrivate: true, self: () => undefined }).problem(url)).toBeUndefined();
  });

  test("public addresses are public", () => {
    for (const address of ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "2a00:1450::1"])
      expect(isPublic(address)).toBe(true);
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        if (isPublic(address)) expect(Number.parseInt(address.split(":")[0] ?? "", 16) & 0xe000).toBe(0x2000);
      }),
    );
  });
});

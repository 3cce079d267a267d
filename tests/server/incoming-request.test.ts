import { request as httpRequest } from "node:http";
import fc from "fast-check";
import { expect, it } from "vitest";
import { IncomingRequest } from "../../lib/server/incoming-request.ts";
import { send, serve } from "./connections.ts";

/** Serves requests and resolves with what `use` makes of the next one. */
async function receiving<T>(use: (request: IncomingRequest) => Promise<T> | T) {
  let result = Promise.withResolvers<T>();
  const port = await serve((incoming, response) => {
    const request = new IncomingRequest(incoming, response);
    const used = (async () => await use(request))();
    void used.then(result.resolve, result.reject).finally(() => response.end());
  });
  return {
    port,
    async next(): Promise<T> {
      const value = await result.promise;
      result = Promise.withResolvers<T>();
      return value;
    },
  };
}

async function post(port: number, body: Uint8Array, headers: Record<string, string> = {}): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const sent = httpRequest({ port, host: "127.0.0.1", method: "POST", headers }, (answer) => {
      answer.resume().once("end", resolve);
    });
    sent.once("error", reject).end(body);
  });
}

it("has the method, path, query and headers as they were sent", async () => {
  const server = await receiving(({ method, url, headers }) => ({ method, url, headers: [...headers] }));
  await send(server.port, [
    "DELETE /a%20b?c=d%2Fe&c HTTP/1.1",
    "x-one: 1",
    "x-two: a",
    "x-two: b",
    "cookie: c=1",
    "cookie: d=2",
  ]);
  expect(await server.next()).toEqual({
    method: "DELETE",
    url: "http://localhost/a%20b?c=d%2Fe&c",
    headers: [
      ["cookie", "c=1; d=2"],
      ["host", "localhost"],
      ["x-one", "1"],
      ["x-two", "a, b"],
    ],
  });
});

it("decodes a body as the standard request does, in one piece and in many", async () => {
  const server = await receiving((request) => request.text());
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: "grapheme", maxLength: 100 }).map((text) => new TextEncoder().encode(`\uFEFF${text}`)),
    fc.constant(new Uint8Array(200_000).fill(0xe2)),
  );
  await fc.assert(
    fc.asyncProperty(bodies, fc.boolean(), async (body, chunked) => {
      await post(server.port, body, chunked ? { "transfer-encoding": "chunked" } : {});
      const standard = new Request("http://localhost", { method: "POST", body: Uint8Array.from(body) });
      expect(await server.next()).toBe(await standard.text());
    }),
    { numRuns: 100 },
  );
});

it("gives a body in every form of the standard request", async () => {
  const text = `{"a":"ä"}`;
  const server = await receiving(async (request) => {
    const clones = [request.clone(), request.clone(), request.clone(), request.clone(), request.clone()];
    const [json, bytes, buffer, blob, stream] = clones;
    const pieces: Uint8Array[] = [];
    for await (const piece of stream?.body ?? []) pieces.push(piece);
    return {
      json: await json?.json(),
      bytes: await bytes?.bytes(),
      buffer: new TextDecoder().decode(await buffer?.arrayBuffer()),
      blob: await (await blob?.blob())?.text(),
      stream: Buffer.concat(pieces).toString(),
      own: await request.json(),
      used: request.bodyUsed,
    };
  });
  await post(server.port, Buffer.from(text), { "content-type": "application/json" });
  const value = JSON.parse(text) as unknown;
  expect(await server.next()).toEqual({
    json: value,
    bytes: new TextEncoder().encode(text),
    buffer: text,
    blob: text,
    stream: text,
    own: value,
    used: true,
  });
});

it("gives the fields of a form", async () => {
  const server = await receiving(async (request) => [...(await request.formData())]);
  await post(server.port, Buffer.from("a=1&b=%C3%A4"), { "content-type": "application/x-www-form-urlencoded" });
  expect(await server.next()).toEqual([
    ["a", "1"],
    ["b", "ä"],
  ]);
});

it("has no body for GET, and an empty one for a POST without a body", async () => {
  const server = await receiving(async (request) => [request.body === null, await request.text()]);
  await send(server.port, ["GET / HTTP/1.1", "content-length: 2"], "{}");
  expect(await server.next()).toEqual([true, ""]);
  await send(server.port, ["POST / HTTP/1.1"]);
  expect(await server.next()).toEqual([false, ""]);
});

it.each(["text", "json", "bytes", "arrayBuffer", "blob"] as const)(
  "rejects %s() when the client leaves before the end of the body",
  async (form) => {
    const server = await receiving((request) =>
      request[form]().then(
        () => "read",
        () => "rejected",
      ),
    );
    const socket = await send(server.port, ["POST / HTTP/1.1", "content-length: 10"], "{");
    setImmediate(() => socket.destroy());
    expect(await server.next()).toBe("rejected");
  },
);

it("aborts its signal when the client leaves before the end of the response, also when it is asked for later", async () => {
  const left = Promise.withResolvers<void>();
  const early = Promise.withResolvers<boolean>();
  const late = Promise.withResolvers<boolean>();
  const port = await serve((incoming, response) => {
    const [first, second] = [new IncomingRequest(incoming, response), new IncomingRequest(incoming, response)];
    first.signal.addEventListener("abort", () => early.resolve(first.signal.aborted));
    response.once("close", () => setImmediate(() => late.resolve(second.signal.aborted)));
    left.resolve();
  });
  const socket = await send(port, ["GET / HTTP/1.1"]);
  await left.promise;
  socket.destroy();
  expect([await early.promise, await late.promise]).toEqual([true, true]);
});

it("does not abort its signal at the end of a response", async () => {
  const aborted = Promise.withResolvers<boolean>();
  const port = await serve((incoming, response) => {
    const { signal } = new IncomingRequest(incoming, response);
    response.once("close", () => setImmediate(() => aborted.resolve(signal.aborted)));
    response.end();
  });
  await post(port, new Uint8Array());
  expect(await aborted.promise).toBe(false);
});

it("leaves a connection usable whose body was looked at, but not read", async () => {
  const port = await serve((incoming, response) => {
    const { body } = new IncomingRequest(incoming, response);
    response.end(body === null ? "none" : "some");
  });
  const large = Buffer.alloc(5 * 1024 * 1024);
  const socket = await send(port, ["POST / HTTP/1.1", `content-length: ${large.length}`]);
  socket.write(large);
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
  let text = "";
  for await (const piece of socket) text += String(piece);
  expect(text.match(/some|none/g)).toEqual(["some", "none"]);
});

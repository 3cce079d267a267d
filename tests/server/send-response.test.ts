import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { textStream } from "../../lib/http/text-body.ts";
import { sendResponse } from "../../lib/server/send-response.ts";
import { send, serve } from "./connections.ts";

/** The client may have read the headers before, or not. */
const BROKEN_OFF = /terminated|fetch failed/;

const QUIET = { text: ": still here\n", everyMs: 60_000 };

async function* listed(pieces: readonly string[]): AsyncGenerator<string, void, undefined> {
  for (const piece of pieces) yield piece;
}

/** The two kinds of bodies: of text, and of bytes. */
const KINDS = {
  text: (body: ReadableStream<Uint8Array>) => body,
  bytes: (body: ReadableStream<Uint8Array>) =>
    body.pipeThrough(new TransformStream(undefined, undefined, { highWaterMark: 0 })),
};

/** Serves one response. */
async function serveResponse(make: () => Response) {
  const sent = Promise.withResolvers<void>();
  sent.promise.catch(() => undefined);
  const port = await serve((_request, response) => void sendResponse(response, make()).then(sent.resolve, sent.reject));
  return { port, sent: sent.promise, url: `http://127.0.0.1:${port}/` };
}

describe.each(Object.entries(KINDS))("a body of %s", (_kind, as) => {
  const bodyOf = (...args: Parameters<typeof textStream>) => as(textStream(...args));

  it("arrives as its pieces say, whatever they are", async () => {
    const pieces = fc.array(fc.string({ unit: "grapheme" }), { maxLength: 20 });
    let next: readonly string[] = [];
    const port = await serve((_request, response) => {
      void sendResponse(response, new Response(bodyOf(() => listed(next), { keepAlive: QUIET })));
    });
    await fc.assert(
      fc.asyncProperty(pieces, async (list) => {
        next = list;
        const answer = await fetch(`http://127.0.0.1:${port}/`);
        expect(Buffer.from(await answer.arrayBuffer()).toString()).toBe(Buffer.from(list.join("")).toString());
      }),
      { numRuns: 100 },
    );
  });

  it("has its headers sent while it is silent", async () => {
    const first = Promise.withResolvers<string>();
    const late = async function* (): AsyncGenerator<string, void, undefined> {
      yield await first.promise;
    };
    const { url } = await serveResponse(() => new Response(bodyOf(late, { keepAlive: QUIET }), { status: 202 }));
    const answer = await fetch(url);
    expect(answer.status).toBe(202);
    first.resolve("at last");
    expect(await answer.text()).toBe("at last");
  });

  it("is pulled only as fast as its reader reads", async () => {
    let pulled = 0;
    const endless = async function* (): AsyncGenerator<string, void, undefined> {
      for (;;) {
        pulled++;
        yield "x".repeat(64 * 1024);
      }
    };
    const { port } = await serveResponse(() => new Response(bodyOf(endless, { keepAlive: QUIET })));
    const socket = await send(port, ["GET / HTTP/1.1"]);
    const stopsAt = await settled(() => pulled);
    // The buffers of two sockets hold less than this.
    expect(stopsAt).toBeLessThan(500);
    socket.resume();
    await expect.poll(() => pulled).toBeGreaterThan(stopsAt + 100);
  });

  it("ends its source once when the reader leaves", async () => {
    const onLeave = vi.fn<() => void>();
    const ended = Promise.withResolvers<void>();
    const waiting = async function* (signal: AbortSignal): AsyncGenerator<string, void, undefined> {
      try {
        yield "first";
        await once(signal, "abort");
      } finally {
        ended.resolve();
      }
    };
    const { port, sent } = await serveResponse(() => new Response(bodyOf(waiting, { keepAlive: QUIET, onLeave })));
    const socket = await send(port, ["GET / HTTP/1.1"]);
    await until(socket, "first");
    socket.destroy();
    await ended.promise;
    await sent.catch(() => undefined);
    expect(onLeave).toHaveBeenCalledOnce();
  });

  it("ends its source when the reader has left before the first piece", async () => {
    const onLeave = vi.fn<() => void>();
    const opened = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const port = await serve((_request, response) => {
      opened.resolve();
      response.once("close", () => {
        const body = bodyOf(() => listed(["never"]), { keepAlive: QUIET, onLeave });
        void sendResponse(response, new Response(body)).then(closed.resolve, closed.reject);
      });
    });
    const socket = await send(port, ["GET / HTTP/1.1"]);
    await opened.promise;
    socket.destroy();
    await closed.promise;
    expect(onLeave).toHaveBeenCalledOnce();
  });

  it("does not say that its reader left after its end", async () => {
    const onLeave = vi.fn<() => void>();
    const { url, sent } = await serveResponse(
      () => new Response(bodyOf(() => listed(["all"]), { keepAlive: QUIET, onLeave })),
    );
    expect(await (await fetch(url)).text()).toBe("all");
    await sent;
    await sleep(20);
    expect(onLeave).not.toHaveBeenCalled();
  });

  it("breaks the connection off when its source fails, so that nobody takes the rest for the whole", async () => {
    const failing = async function* (): AsyncGenerator<string, void, undefined> {
      yield "half";
      throw new Error("broken");
    };
    const { url, sent } = await serveResponse(() => new Response(bodyOf(failing, { keepAlive: QUIET })));
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow(BROKEN_OFF);
    await expect(sent).rejects.toThrow("broken");
  });

  it("fails for nobody when its source does so because the reader has left", async () => {
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    const failing = async function* (): AsyncGenerator<string, void, undefined> {
      yield "first";
      await left;
      throw new Error("The caller has gone");
    };
    const sent = Promise.withResolvers<void>();
    const port = await serve((_request, response) => {
      response.once("close", leave);
      const answer = new Response(bodyOf(failing, { keepAlive: QUIET }));
      void sendResponse(response, answer).then(sent.resolve, sent.reject);
    });
    const socket = await send(port, ["GET / HTTP/1.1"]);
    await until(socket, "first");
    socket.destroy();
    await expect(sent.promise).resolves.toBeUndefined();
  });

  it("breaks the connection off, and nothing else, when its source is aborted", async () => {
    const aborted = async function* (): AsyncGenerator<string, void, undefined> {
      yield "half";
      AbortSignal.abort().throwIfAborted();
    };
    const { url, sent } = await serveResponse(() => new Response(bodyOf(aborted, { keepAlive: QUIET })));
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow(BROKEN_OFF);
    await expect(sent).resolves.toBeUndefined();
  });

  it("has heartbeats while its source is silent, and none after its end", async () => {
    const go = Promise.withResolvers<void>();
    const silent = async function* (): AsyncGenerator<string, void, undefined> {
      await go.promise;
      yield "end";
    };
    const keepAlive = { text: ": beat\n", everyMs: 5 };
    const { port } = await serveResponse(() => new Response(bodyOf(silent, { keepAlive })));
    const socket = await send(port, ["GET / HTTP/1.1", "connection: close"]);
    await until(socket, ": beat\n", 2);
    go.resolve();
    expect(await rest(socket)).toMatch(/end\r\n0\r\n\r\n$/);
  });
});

describe("headers", () => {
  it("of the connection, which the server has set, stay", async () => {
    const port = await serve((_request, response) => {
      response.setHeader("x-content-type-options", "nosniff");
      response.setHeader("vary", "origin");
      const headers = new Headers({
        "x-content-type-options": "other",
        vary: "accept",
        "content-length": "99",
        "x-own": "1",
      });
      headers.append("set-cookie", "a=1; Expires=Wed, 25 Nov 2026 00:00:00 GMT");
      headers.append("set-cookie", "b=2");
      void sendResponse(response, new Response("text", { status: 203, statusText: "Mine", headers }));
    });
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect([answer.status, answer.statusText, await answer.text()]).toEqual([203, "Mine", "text"]);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("vary")).toBe("origin, accept");
    expect(answer.headers.get("content-length")).toBeNull();
    expect(answer.headers.get("x-own")).toBe("1");
    expect(answer.headers.getSetCookie()).toEqual(["a=1; Expires=Wed, 25 Nov 2026 00:00:00 GMT", "b=2"]);
  });
});

/** Resolves to a count that no longer grows. */
async function settled(count: () => number): Promise<number> {
  for (let before = -1; ;) {
    await sleep(100);
    if (count() === before && before > 0) return before;
    before = count();
  }
}

/** Reads until a text has come this many times. */
async function until(socket: Socket, wanted: string, times = 1): Promise<void> {
  let read = "";
  for await (const piece of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    read += String(piece);
    if (read.split(wanted).length > times) return;
  }
  throw new Error(`the connection ended before ${JSON.stringify(wanted)}: ${read}`);
}

async function rest(socket: Socket): Promise<string> {
  let read = "";
  for await (const piece of socket) read += String(piece);
  return read;
}

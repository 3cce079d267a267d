import { afterEach, describe, expect, it } from "vitest";
import { askAgent, type CallEnd, callAgent, type Frame } from "../../lib/client/a2a.ts";
import { readCard } from "../../lib/client/a2a-card.ts";
import { type ReceivedRequest, openStream, type StubServer, startStubServer } from "./stub-server.ts";

let server: StubServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

const request = { headers: { "content-type": "application/json" }, body: { jsonrpc: "2.0", id: 1 } };

async function call(
  answer: (received: ReceivedRequest) => void,
  onFrame: (frame: Frame, stop: () => void) => void = () => undefined,
): Promise<{ end: CallEnd; frames: Frame[] }> {
  server = await startStubServer(answer);
  const frames: Frame[] = [];
  const controller = new AbortController();
  const end = await callAgent(`${server.base}/a2a/x`, request, {
    signal: controller.signal,
    onFrame: (frame) => {
      frames.push(frame);
      onFrame(frame, () => controller.abort());
    },
  });
  return { end, frames };
}

const json = ({ response }: ReceivedRequest, status: number, body: unknown): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};

describe("a call of an agent", () => {
  it("hands on every event of a stream as it came, however it was cut", async () => {
    const { end, frames } = await call(({ response }) => {
      openStream(response);
      response.write(': ping\n\ndata: {"result":{"te');
      response.write('xt":"é"}}\n\nevent: error\ndata: {"error":{"code":-32603}}\n\n');
      response.end();
    });
    expect(frames.map(({ number, value }) => [number, value])).toEqual([
      [0, { result: { text: "é" } }],
      [1, { error: { code: -32603 } }],
    ]);
    expect(end).toMatchObject({ how: "ended", status: 200 });
  });

  it("takes a JSON-RPC response for a frame, whatever its status", async () => {
    const body = { jsonrpc: "2.0", id: null, error: { code: -32000, message: "Unauthorized" } };
    const { end, frames } = await call((received) => json(received, 401, body));
    expect(frames.map(({ value }) => value)).toEqual([body]);
    expect(end).toMatchObject({ how: "ended", status: 401 });
  });

  it("is refused by what does not speak JSON-RPC", async () => {
    const { end, frames } = await call((received) => json(received, 503, { detail: "Not live yet" }));
    expect(frames).toEqual([]);
    expect(end).toEqual({ how: "refused", status: 503, message: "Not live yet" });
  });

  it("ends as stopped by the caller, and as lost when the connection breaks", async () => {
    const stream = ({ response }: ReceivedRequest): void => {
      openStream(response);
      response.write('data: {"result":{}}\n\n');
    };
    expect((await call(stream, (_, stop) => stop())).end).toEqual({ how: "stopped" });
    await server?.stop();
    let broken: ReceivedRequest | undefined;
    const lost = await call(
      (received) => stream((broken = received)),
      () => broken?.response.destroy(),
    );
    expect([lost.end, lost.frames.length]).toEqual([{ how: "lost" }, 1]);
  });
});

describe("a question to an agent", () => {
  it("resolves with the result, and rejects with the agent's message", async () => {
    server = await startStubServer((received) => {
      const { method } = received.body as { method: string };
      const outcome =
        method === "GetTask" ? { result: { id: "t" } } : { error: { code: -32001, message: "Task not found" } };
      json(received, 200, { jsonrpc: "2.0", id: 1, ...outcome });
    });
    expect(await askAgent(server.base, "GetTask", {})).toEqual({ id: "t" });
    await expect(askAgent(server.base, "CancelTask", {})).rejects.toThrow("Task not found (-32001)");
  });
});

describe("a card", () => {
  it("is read in both forms, and revalidated by its tag", async () => {
    server = await startStubServer(({ response }) => {
      const { headers } = response.req;
      if (headers["if-none-match"] === '"1"') response.writeHead(304).end();
      else response.writeHead(200, { etag: '"1"' }).end(JSON.stringify({ v: headers["a2a-version"] ?? "all" }));
    });
    const read = await readCard(`${server.base}/card`, "http://here");
    expect(read).toEqual({
      forAll: { v: "all" },
      v1: { v: "1.0" },
      origin: "http://here",
      etag: '"1"',
      statusAgain: 304,
    });
  });

  it("that cannot be read says why", async () => {
    server = await startStubServer((received) => json(received, 404, { detail: "Not found" }));
    await expect(readCard(`${server.base}/card`, "http://here")).rejects.toThrow("Not found");
    await server.stop();
    await expect(readCard(`${server.base}/card`, "http://here")).rejects.toThrow("could not be reached");
  });
});

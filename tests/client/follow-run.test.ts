import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { followRun, type RunRequest } from "../../lib/client/follow-run.ts";
import { followToEnd } from "../../lib/client/follow-to-end.ts";
import type { ParsedEvent } from "../../lib/rules/threads/transcript.ts";
import {
  type ReceivedRequest,
  openStream,
  stubBrowser,
  type StubServer,
  startStubServer,
  writeEvent,
} from "./stub-server.ts";

const REQUEST: RunRequest = { assistant_id: "agent", input: { messages: [] }, stream_mode: "updates" };
let server: StubServer | undefined;

beforeAll(stubBrowser);
afterEach(() => server?.stop());

async function follow(answer: (request: ReceivedRequest) => void, signal = new AbortController().signal) {
  server = await startStubServer(answer);
  const events: ParsedEvent[] = [];
  const end = await followRun(server.base, REQUEST, { signal, onEvent: (event) => events.push(event) });
  return { end, events: events.map(({ id, event, data }) => [id, event, data]), requests: server.requests };
}

describe("following a run", () => {
  test("its events come in order with their numbers and parsed data, heartbeats do not", async () => {
    const { end, events, requests } = await follow(({ response }) => {
      openStream(response);
      writeEvent(response, 0, "metadata", { run_id: "r" });
      response.write(": heartbeat\n");
      writeEvent(response, 1, "updates", { agent: { text: "zwei\nZeilen" } });
      response.end();
    });
    expect(end).toEqual({ how: "ended" });
    expect(events).toEqual([
      [0, "metadata", { run_id: "r" }],
      [1, "updates", { agent: { text: "zwei\nZeilen" } }],
    ]);
    expect(requests.map(({ url, body }) => ({ url, body }))).toEqual([{ url: "/runs/stream", body: REQUEST }]);
  });

  test.each([
    [422, "application/json", '{"detail":"Invalid body: input","issues":[]}', "Invalid body: input"],
    [404, "text/plain", "Assistant not found", "Assistant not found"],
    [503, "text/plain", "", "The server answered 503 Service Unavailable."],
    [500, "text/html", "<html><body>long page</body></html>", "The server answered 500 Internal Server Error."],
  ])(
    "a response of %i is reported with the server's message, and the request is not repeated",
    async (status, type, body, message) => {
      const { end, events, requests } = await follow(({ response }) => {
        response.writeHead(status, { "content-type": type }).end(body);
      });
      expect(end).toEqual({ how: "refused", status, message });
      expect(events).toEqual([]);
      expect(requests.length).toBe(1);
    },
  );

  test("a connection that breaks in between loses no event before it and starts no second run", async () => {
    const { end, events, requests } = await follow(({ response }) => {
      openStream(response);
      writeEvent(response, 0, "metadata", { run_id: "r" });
      setTimeout(() => response.destroy(), 30);
    });
    expect(end).toEqual({ how: "lost", before: false });
    expect(events).toEqual([[0, "metadata", { run_id: "r" }]]);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(requests.length).toBe(1);
  });

  test("a server that is not there is a lost connection before the first event", async () => {
    const gone = await startStubServer(() => {});
    await gone.stop();
    const end = await followRun(gone.base, REQUEST, { signal: new AbortController().signal, onEvent: () => {} });
    expect(end).toEqual({ how: "lost", before: true });
  });

  test("an abort stops it and lets the connection go", async () => {
    const controller = new AbortController();
    const { end, requests } = await follow(({ response }) => {
      openStream(response);
      writeEvent(response, 0, "metadata", { run_id: "r" });
      setTimeout(() => controller.abort(), 30);
    }, controller.signal);
    expect(end).toEqual({ how: "stopped" });
    await requests[0]?.left;
  });

  test("an aborted signal sends no request", async () => {
    const { end, requests } = await follow(() => {}, AbortSignal.abort());
    expect(end).toEqual({ how: "stopped" });
    expect(requests).toEqual([]);
  });
});

describe("following a run to its end", () => {
  async function begin(signal: AbortSignal, answer: (request: ReceivedRequest) => void) {
    server = await startStubServer(answer);
    const runs: string[] = [];
    const listener = { signal, onEvent: () => {}, onConnection: () => {}, onRun: (run: string) => runs.push(run) };
    const end = await followToEnd(server.base, "t", { request: REQUEST, client: "chat" }, listener);
    return { end, runs, requests: server.requests };
  }

  test("a request on its way is not taken back, and its connection closes once the server has accepted it", async () => {
    const controller = new AbortController();
    const { end, runs, requests } = await begin(controller.signal, ({ response }) => {
      controller.abort();
      setTimeout(() => {
        expect(response.destroyed).toBe(false);
        response.writeHead(200, { "content-type": "text/event-stream", "content-location": "/threads/t/runs/r" });
        response.flushHeaders();
      }, 50);
    });
    expect([end, runs]).toEqual([{ how: "stopped" }, ["r"]]);
    await requests[0]?.left;
    expect(requests.length).toBe(1);
  });

  test("a run that was accepted is left at once", async () => {
    const controller = new AbortController();
    const { end, requests } = await begin(controller.signal, ({ response }) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-location": "/threads/t/runs/r" });
      writeEvent(response, 0, "metadata", { run_id: "r" });
      setTimeout(() => controller.abort(), 30);
    });
    expect(end).toEqual({ how: "stopped" });
    await requests[0]?.left;
    expect(requests.length).toBe(1);
  });
});

/** Tests the streams that clients read while the server is stopped, and their continuation afterwards. */
import { once } from "node:events";
import { connect } from "node:net";
import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { json, raw, type RawStream, rawStream } from "../support/raw.ts";
import { call, untilState } from "../support/control.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { callers } from "./a2a-callers.ts";
import { startHalfway, call as rpc, message, rawA2a, replyOf, results } from "./a2a-raw.ts";
import { halves } from "./apps/a2a/graphs.mjs";
import { type Gate, openGate } from "./gate.ts";

const app = resolve(import.meta.dirname, "apps/a2a");
/** No run of these tests ends by itself, so a grace period would only cost time. */
const env = { GRAPHLIB_GRACE_SECONDS: "0" };

let server: TestServer;
let gate: Gate;
beforeEach(async () => {
  [server, gate] = await Promise.all([startServer({ app, env }), openGate()]);
});
afterEach(() => Promise.all([server.stop(), gate.close()]));

const a2a = rawA2a(() => server);
const AGAIN = expect.stringContaining("subscribe to the task again");

/** Stops the server with SIGTERM and starts another on its home. */
async function restart(): Promise<void> {
  const { home, output } = server;
  expect(await server.drain()).toBe(0);
  expect(output()).not.toMatch(/abort|failed to pipe/i);
  server = await startServer({ app, env, home });
}

describe("a stream of an A2A task that the server leaves", () => {
  test("ends with an error event, and continues on the next server after a new subscription", async () => {
    const task = await startHalfway(a2a, gate);
    const interrupted = await a2a.send("ask", message("hello"));
    const v1 = { messageId: "m", role: "ROLE_USER", parts: [{ text: gate.url }] };
    const streams = [
      await a2a.stream("halfway", "message/stream", message(gate.url)),
      await a2a.stream("halfway", "SendStreamingMessage", { message: v1 }),
      await a2a.stream("halfway", "tasks/resubscribe", { id: task.id }),
      await a2a.stream("ask", "SubscribeToTask", { id: interrupted.id }),
    ];
    for (const stream of streams) await stream.until(({ data }) => data.includes('"result"'));
    const waiting = a2a.send("halfway", message(gate.url));
    await expect
      .poll(async () => (await a2a.request("halfway", "ListTasks", {})).result)
      .toMatchObject({ totalSize: 4 });
    await restart();
    // In v0.3, the error event has no name.
    for (const [index, name] of [undefined, "error", undefined, "error"].entries()) {
      const stream = streams[index] as RawStream;
      const events = await stream.end();
      expect(stream.whole()).toBe(true);
      expect(events.map(({ event }) => event)).toEqual([...events.slice(1).map(() => undefined), name]);
      expect(results(events).at(-1)).toMatchObject({ id: 5, error: { code: -32603, message: AGAIN } });
    }
    expect((await waiting).status.state).toMatch(/submitted|working/);

    const again = await a2a.stream("halfway", "tasks/resubscribe", { id: task.id });
    gate.open();
    expect(results(await again.end()).at(-1)).toMatchObject({ status: { state: "completed" }, final: true });
    expect(replyOf(await a2a.get("halfway", task.id))).toEqual({ kind: "text", text: halves });
  });

  test("is an error to the official clients of all generations, and not the end of the task", async () => {
    const connected = await Promise.all(callers.map(([, connect]) => connect(`${server.url}/a2a/halfway/`)));
    const listening = await Promise.all(
      connected.map(async (caller) => {
        const { id } = await caller.sendAsync(gate.url);
        const firstEvent = Promise.withResolvers<void>();
        const ended = caller.resubscribe(id, firstEvent.resolve).then(
          () => "it ended as if the task were over",
          (error: unknown) => String(error),
        );
        await firstEvent.promise;
        return { id, ended };
      }),
    );
    await restart();
    for (const { ended } of listening) expect(await ended).toEqual(AGAIN);
    gate.open();
    for (const { id } of listening) {
      await expect.poll(async () => (await a2a.get("halfway", id)).status.state, { timeout: 30_000 }).toBe("completed");
    }
  });
});

describe("a run's stream that the server leaves", () => {
  const input = () => ({ messages: [{ role: "user", content: gate.url }] });
  const newThread = async (): Promise<string> =>
    json<{ thread_id: string }>(await raw(`${server.url}/threads`, { body: "{}" })).thread_id;

  test("breaks off, however it was opened, while its run goes on; without a thread it ends with the reason", async () => {
    const thread = await newThread();
    const body = JSON.stringify({ assistant_id: "halfway", input: input(), stream_mode: ["updates"] });
    const at = `${server.url}/threads/${thread}`;
    const opened = await rawStream(`${at}/runs/stream`, { body });
    await gate.reached();
    const run = String(opened.headers["content-location"]).split("/").at(-1);
    const streams: RawStream[] = [
      opened,
      await rawStream(`${at}/runs/${run}/stream`),
      await rawStream(`${at}/runs/${run}/join`),
      await rawStream(`${at}/stream`),
      await rawStream(`${at}/stream/events`, { body: JSON.stringify({ channels: ["messages"] }) }),
    ];
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
    const lost = await rawStream(`${server.url}/runs/stream`, {
      body: JSON.stringify({ assistant_id: "halfway", input: input(), stream_mode: ["messages-tuple"] }),
    });
    await lost.until(({ event }) => event === "messages");
    await restart();
    for (const stream of streams) await stream.end();
    expect(streams.map((stream) => stream.whole())).toEqual(streams.map(() => false));
    expect((await lost.end()).at(-1)).toMatchObject({ event: "error", data: expect.stringContaining("WorkerStopped") });
    expect(lost.whole()).toBe(true);
    gate.open();
    const values = json<{ messages: { content: string }[] }>(
      await raw(`${server.url}/threads/${thread}/runs/${run}/join`),
    );
    expect(values.messages.at(-1)?.content).toBe(halves);
  });

  test("loses no run on a thread, however often its server is stopped", { timeout: 120_000 }, async () => {
    const at = `${server.url}/threads/${await newThread()}`;
    const body = JSON.stringify({ assistant_id: "halfway", input: input() });
    const { run_id } = json<{ run_id: string }>(await raw(`${at}/runs`, { body }));
    const { pathname } = new URL(`${at}/runs/${run_id}`);
    const attempts = async () => json<{ attempts: number }>(await raw(`${server.url}${pathname}`)).attempts;
    for (let stops = 1; stops <= 4; stops++) {
      await expect.poll(attempts).toBe(stops);
      await restart();
    }
    gate.open();
    const values = json<{ messages: { content: string }[] }>(await raw(`${server.url}${pathname}/join`));
    expect(values.messages.at(-1)?.content).toBe(halves);
    expect(await attempts()).toBe(5);
  });

  test("is resumed by the official client itself, where the stream is resumable", async () => {
    const thread = await newThread();
    const back = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    let calls = 0;
    const client = new Client({
      apiUrl: server.url,
      callerOptions: {
        maxRetries: 0,
        // Stands in for a port that both servers share: requests after the first wait for the next server.
        async fetch(url: string | URL | Request, init?: RequestInit) {
          if (calls++ > 0) await back.promise;
          const { pathname, search } = new URL(url instanceof Request ? url.url : url);
          return await fetch(`${server.url}${pathname}${search}`, init);
        },
      },
    });
    const names: string[] = [];
    const reading = (async () => {
      const run = client.runs.stream(thread, "halfway", {
        input: input(),
        streamMode: ["updates"],
        streamResumable: true,
      });
      for await (const part of run) {
        names.push(part.event);
        opened.resolve();
      }
    })();
    await opened.promise;
    await gate.reached();
    await restart();
    gate.open();
    back.resolve();
    await reading;
    expect(names).toEqual(["metadata", "metadata", "updates"]);
  });
});

test("a request that arrives while the server stops is answered, or its connection ends", async () => {
  const { hostname, port } = new URL(server.url);
  const head = `POST /threads/search HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-type: application/json\r\n`;
  const opened = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      return socket.on("error", () => undefined).setEncoding("utf8");
    }),
  );
  const [busy, ...unused] = opened;
  // This request never ends, so the server waits a second for its response before it closes connections.
  busy?.write(`${head}content-length: 3\r\n\r\n{`);
  const statuses: string[] = [];
  for (const socket of unused)
    socket.once("data", (text: string) => statuses.push(text.slice(0, "HTTP/1.1 200".length)));
  const sending = setInterval(() => unused.shift()?.write(`${head}content-length: 2\r\n\r\n{}`), 50);
  await expect.poll(() => statuses).toContain("HTTP/1.1 200");
  await server.drain();
  clearInterval(sending);
  expect(new Set(statuses)).toEqual(new Set(["HTTP/1.1 200"]));
  expect(server.errors()).toBe("");
});

test("streams of a deleted deployment break off too", async () => {
  const source = { type: "folder", path: app, in_place: true };
  await call(server, "POST", "/deployments", { name: "gone", source });
  await untilState(server, "gone", ["live"]);
  const at = `${server.url}/agents/gone`;
  const { thread_id } = json<{ thread_id: string }>(await raw(`${at}/threads`, { body: "{}" }));
  const run = { assistant_id: "halfway", input: { messages: [{ role: "user", content: gate.url }] } };
  const streams = [
    await rawStream(`${at}/threads/${thread_id}/runs/stream`, { body: JSON.stringify(run) }),
    await rawStream(`${at}/threads/${thread_id}/stream`),
  ];
  const task = await rawStream(`${at}/a2a/halfway`, { body: rpc("message/stream", message(gate.url)) });
  await gate.reached();
  expect((await call(server, "DELETE", "/deployments/gone?confirm=gone")).status).toBe(204);
  for (const stream of streams) await stream.end();
  expect(streams.map((stream) => stream.whole())).toEqual([false, false]);
  expect(results(await task.end()).at(-1)).toMatchObject({ error: { message: AGAIN } });
});

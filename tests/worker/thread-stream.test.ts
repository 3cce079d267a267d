/** Folds what graphs really stream into the thread streaming protocol, and reads that with the official client. */
import { Client } from "@langchain/langgraph-sdk";
import { convertToProtocolEvent } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeSse } from "../../lib/protocol/sse.ts";
import { encodeThreadEvent, ThreadStreamRequest, type ThreadEvent } from "../../lib/protocol/thread-stream.ts";
import { foldRun } from "../../lib/rules/thread-stream/fold.ts";
import { threadFilter } from "../../lib/rules/thread-stream/filter.ts";
import { killWorkers, startWorker, type Outcome, type WorkerProcess } from "../support/worker-process.ts";

let worker: WorkerProcess;
const graphs = [
  "chat",
  "nested",
  "steps",
  "asks",
  "asksTwice",
  "asksBelow",
  "fails",
  "failsBelow",
  "tools",
  "brokenTool",
];
beforeAll(async () => {
  worker = await startWorker({
    app: "modes",
    graphs: Object.fromEntries(graphs.map((id) => [id, `./graphs.ts:${id}`])),
  });
});
afterAll(killWorkers);

const hello = { messages: [{ role: "user", content: "hello", id: "u1" }] };
const RUN = "01a1fe65-7ddb-70af-a721-f6f2b28ba00f";

async function threadEvents(graph: string, input: unknown): Promise<{ events: ThreadEvent[]; outcome: Outcome }> {
  const outcome = await worker.run({
    graph,
    input,
    modes: ["values", "updates", "messages-tuple", "tools", "custom", "tasks"],
    subgraphs: true,
    notes: true,
  });
  const error = outcome.error ? [{ event: "error", data: outcome.error }] : [];
  const all = [
    { event: "metadata", data: { run_id: RUN, attempt: 1 } },
    ...outcome.events,
    ...error,
    { event: "end", data: { status: outcome.status } },
  ];
  const fold = foldRun({ run_id: RUN, graph_id: graph, position: 0, created_at: "2026-01-05T10:00:00.000Z" });
  const events = all.flatMap(({ event, data }, id) => fold.take({ id, event, data: JSON.stringify(data) }));
  return { events, outcome };
}

const TASK = /:[0-9a-f]{8}-[0-9a-f-]{27}/g;
/** Returns one line for each event: its method, what happened, and its namespace. */
function lines(events: readonly ThreadEvent[]): string[] {
  return events.map(({ method, data, namespace }) => {
    const { event, step } = JSON.parse(data) as { event?: string; step?: number };
    return [method, event ?? step ?? [], namespace.join("|").replaceAll(TASK, "") || []].flat().join(" ");
  });
}

test("a graph of one node emits the events that the protocol's captures show", async () => {
  const { events } = await threadEvents("chat", hello);
  expect(lines(events)).toEqual([
    "lifecycle running",
    "checkpoints 0",
    "values",
    "tasks",
    "lifecycle started model",
    "messages message-start model",
    "messages content-block-start model",
    "messages content-block-delta model",
    "messages content-block-delta model",
    "messages content-block-delta model",
    "messages content-block-finish model",
    "messages message-finish model",
    "updates",
    "tasks",
    "lifecycle completed model",
    "checkpoints 1",
    "values",
    "lifecycle completed",
  ]);
});

test("a nested graph has its own namespace, which contains everything below", async () => {
  const { events } = await threadEvents("nested", hello);
  expect(lines(events).filter((line) => !/^(tasks|updates|messages)/.test(line))).toEqual([
    "lifecycle running",
    "checkpoints 0",
    "values",
    "lifecycle started sub",
    "checkpoints 0 sub",
    "values sub",
    "lifecycle started sub|model",
    "lifecycle completed sub|model",
    "checkpoints 1 sub",
    "values sub",
    "lifecycle completed sub",
    "checkpoints 1",
    "values",
    "lifecycle completed",
  ]);
  const pieces = events.filter(({ method }) => method === "messages");
  expect(lines(pieces).every((line) => line.endsWith(" sub|model"))).toBe(true);
  expect(pieces.every(({ node }) => node === "model")).toBe(true);
});

describe("an interrupt", () => {
  test("is requested once, between the values and the end", async () => {
    const { events } = await threadEvents("asks", { n: 0 });
    expect(lines(events).filter((line) => !/^(tasks|checkpoints)/.test(line))).toEqual([
      "lifecycle running",
      "values",
      "lifecycle started ask",
      "input.requested",
      "lifecycle interrupted ask",
      "lifecycle interrupted",
    ]);
    const requested = events.find(({ method }) => method === "input.requested");
    expect(JSON.parse(requested?.data ?? "")).toEqual({
      interrupt_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      payload: { q: "ok?" },
    });
    expect(events.map(({ data }) => data).filter((data) => data.includes("__interrupt__"))).toEqual([]);
  });

  test("in a nested graph is requested where it was raised", async () => {
    const { events } = await threadEvents("asksBelow", { n: 0 });
    const requested = events.filter(({ method }) => method === "input.requested");
    expect(lines(requested)).toEqual(["input.requested below"]);
  });

  test("of two tasks is requested twice, and the output of a third is reported", async () => {
    const { events } = await threadEvents("asksTwice", { n: 0 });
    const requested = events.filter(({ method }) => method === "input.requested");
    expect(requested.map(({ data }) => JSON.parse(data) as unknown)).toMatchObject([{ payload: 1 }, { payload: 2 }]);
    const states = events.filter(({ method }) => method === "values").map(({ data }) => JSON.parse(data) as unknown);
    expect(states).toEqual([
      { n: 0, log: [] },
      { n: 0, log: ["worked"] },
    ]);
  });
});

test("a failure ends every namespace that it went through, and says why", async () => {
  const { events } = await threadEvents("failsBelow", { n: 0 });
  const ends = events.filter(({ method }) => method === "lifecycle").slice(-3);
  expect(lines(ends)).toEqual(["lifecycle failed below|bad", "lifecycle failed below", "lifecycle failed"]);
  expect(ends.map(({ data }) => (JSON.parse(data) as { error: string }).error)).toEqual(["kaput", "kaput", "kaput"]);
});

test("a failed tool is reported on the channel of tools", async () => {
  const { events } = await threadEvents("brokenTool", { messages: [] });
  const tools = events.filter(({ method }) => method === "tools");
  expect(lines(tools)).toEqual(["tools tool-started tools", "tools tool-error tools"]);
  expect(JSON.parse(tools[1]?.data ?? "")).toEqual({ event: "tool-error", tool_call_id: "call_1", message: "no tool" });
});

test("LangGraph itself has the same payloads", async () => {
  const { events, outcome } = await threadEvents("steps", { n: 0 });
  const theirs = outcome.events.flatMap(({ event, data }) => {
    const [mode = "", ...ns] = event.split("|");
    // The mode is one of those that were requested.
    return convertToProtocolEvent({ namespace: ns, mode: mode as "values", payload: data, seq: 0 });
  });
  const mine = events.filter(({ method }) => method !== "lifecycle");
  expect(mine.map(({ method, namespace, data }) => ({ method, namespace, data: JSON.parse(data) as unknown }))).toEqual(
    theirs.map(({ method, params: { namespace, data } }) => ({ method, namespace, data })),
  );
});

test("timestamps are those of the checkpoints", async () => {
  const before = Date.now();
  const { events } = await threadEvents("steps", { n: 0 });
  const times = events.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)).toBeGreaterThan(before - 10_000);
  expect(times.at(-1)).toBeLessThan(Date.now() + 10_000);
});

describe("the official client", () => {
  /** Responds as the server does, with events that exist already. */
  function serving(events: readonly ThreadEvent[]): typeof fetch {
    const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
    return async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      const body: unknown = JSON.parse(typeof init?.body === "string" ? init.body : "null");
      if (pathname.endsWith("/commands")) {
        const { id } = body as { id: number };
        return Response.json({ type: "success", id, result: { run_id: RUN }, meta: { applied_through_seq: 0 } });
      }
      const wants = threadFilter(ThreadStreamRequest.parse(body));
      const text = events.filter(wants).map((event) => {
        return encodeSse({ event: event.method, data: encodeThreadEvent(event), id: event.event_id });
      });
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text.join("")));
          // The stream stays open, because the thread may have further events.
          open.add(controller);
        },
      });
      return new Response(stream, { headers: { "content-type": "text/event-stream" } });
    };
  }

  const client = new Client({ apiUrl: "http://localhost", apiKey: null });

  async function run(graph: string, input: unknown) {
    const { events } = await threadEvents(graph, input);
    const thread = client.threads.stream("t", { assistantId: graph, fetch: serving(events) });
    const started = await thread.run.start({ input });
    expect(started).toEqual({ run_id: RUN });
    return { thread, events };
  }

  test("assembles messages token by token, and the last values", async () => {
    const { thread } = await run("chat", hello);
    const texts: string[][] = [];
    for await (const message of thread.messages) {
      const pieces: string[] = [];
      for await (const piece of message.text) pieces.push(piece);
      texts.push(pieces);
    }
    expect(texts).toEqual([["H", "i", "!"]]);
    expect(await thread.output).toMatchObject({ messages: [{ content: "hello" }, { content: "Hi!" }] });
    await thread.close();
  });

  test("finds interrupts with the namespace to answer in", async () => {
    const { thread, events } = await run("asksBelow", { n: 0 });
    await thread.output;
    const requested = events.find(({ method }) => method === "input.requested");
    expect(thread.interrupted).toBe(true);
    expect(thread.interrupts).toEqual([
      { interruptId: expect.any(String), payload: { q: "ok?" }, namespace: requested?.namespace },
    ]);
    await thread.close();
  });

  test("receives the begin and end of tools, and what a node writes", async () => {
    const { thread } = await run("tools", { messages: [] });
    const calls: unknown[] = [];
    for await (const call of thread.toolCalls) calls.push({ ...call, output: await call.output });
    // The client yields a call when it begins and when it ends.
    expect(calls.slice(0, 1)).toMatchObject([{ name: "echo", callId: "call_1", args: { x: "a" }, output: "echo:a" }]);
    await thread.close();
  });

  test("discovers a nested graph", async () => {
    const { thread } = await run("nested", hello);
    const names: string[] = [];
    for await (const { name } of thread.subgraphs) names.push(name);
    expect(names).toContain("sub");
    await thread.close();
  });
});

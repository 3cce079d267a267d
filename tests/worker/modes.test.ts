import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { killWorkers, startWorker, type WorkerProcess } from "../support/worker-process.ts";

let worker: WorkerProcess;
const graphs = ["chat", "nested", "quiet", "steps", "fails", "failsBelow", "endless", "tools", "brokenTool", "ready"];
beforeAll(async () => {
  worker = await startWorker({
    app: "modes",
    graphs: Object.fromEntries(graphs.map((id) => [id, `./graphs.ts:${id}`])),
  });
});
afterAll(killWorkers);

const hello = { messages: [{ role: "user", content: "hello", id: "u1" }] };
const human = { content: "hello", id: "u1", additional_kwargs: {}, response_metadata: {}, type: "human" };
const ai = (content: string) => ({
  content,
  id: expect.stringMatching(/^run-/),
  type: "ai",
  tool_calls: [],
  invalid_tool_calls: [],
  tool_call_chunks: [],
  additional_kwargs: {},
  response_metadata: {},
});
/** The message of a model from which nobody requests tokens. */
const { tool_call_chunks: _, ...whole } = { ...ai(""), id: expect.any(String) };
const TASK = "[0-9a-f]{8}-[0-9a-f-]{27}";
const names = (events: { event: string }[]) =>
  events.map(({ event }) => event.replaceAll(new RegExp(`:${TASK}`, "g"), ":id"));

test("values: the whole state after the input and after each step", async () => {
  const { events, status, ends } = await worker.run({ graph: "chat", input: hello, modes: ["values"] });
  expect({ status, ends }).toEqual({ status: "success", ends: 1 });
  expect(events).toEqual([
    { event: "values", data: { messages: [human] } },
    { event: "values", data: { messages: [human, { ...whole, content: "Hi!" }] } },
  ]);
});

test("updates: the result of each node", async () => {
  const { events } = await worker.run({ graph: "steps", input: { n: 0 }, modes: ["updates"] });
  expect(events).toEqual([
    { event: "updates", data: { first: { n: 1, log: ["first"] } } },
    { event: "updates", data: { second: { n: 2, log: ["second"] } } },
  ]);
});

test("custom: the unchanged values that a node writes", async () => {
  const { events } = await worker.run({ graph: "steps", input: { n: 0 }, modes: ["custom"] });
  expect(events).toEqual([{ event: "custom", data: { progress: 1 } }]);
});

describe("messages-tuple", () => {
  test('sends an event "messages" with a piece and metadata for every token', async () => {
    const { events } = await worker.run({
      graph: "chat",
      input: hello,
      modes: ["messages-tuple"],
      config: { configurable: { thread_id: "t", graph_id: "chat" }, metadata: { mine: 1 } },
    });
    const metadata = { langgraph_node: "model", langgraph_step: 1, thread_id: "t", graph_id: "chat", mine: 1 };
    expect(events).toMatchObject(["H", "i", "!"].map((text) => ({ event: "messages", data: [ai(text), metadata] })));
    expect(new Set(events.map(({ data }) => (data as [{ id: string }])[0].id)).size).toBe(1);
  });

  test("a message that was not streamed is sent once, whole", async () => {
    const { events } = await worker.run({ graph: "ready", input: hello, modes: ["messages-tuple"] });
    expect(events).toMatchObject([{ event: "messages", data: [{ type: "tool", content: "42", id: "t1" }, {}] }]);
  });

  test("models tagged nostream or langsmith:hidden are not streamed", async () => {
    const { events, status } = await worker.run({
      graph: "quiet",
      input: hello,
      modes: ["messages-tuple", "messages"],
    });
    expect(status).toBe("success");
    expect(events).toEqual([{ event: "messages/complete", data: [human] }]);
  });
});

test("messages: metadata once, then the text so far, and each message once when it is complete", async () => {
  const { events } = await worker.run({ graph: "chat", input: hello, modes: ["messages"] });
  expect(events).toMatchObject([
    { event: "messages/complete", data: [human] },
    { event: "messages/metadata", data: expect.anything() },
    { event: "messages/partial", data: [ai("H")] },
    { event: "messages/partial", data: [ai("Hi")] },
    { event: "messages/partial", data: [ai("Hi!")] },
    { event: "messages/complete", data: [ai("Hi!")] },
  ]);
  const [[id, about] = []] = Object.entries(events[1]?.data as Record<string, unknown>);
  expect(events[2]?.data).toMatchObject([{ id }]);
  expect(about).toMatchObject({ metadata: { langgraph_node: "model" } });
});

describe("subgraphs", () => {
  test('are named after a "|", messages with their node, messages/* not at all', async () => {
    const modes = ["values", "updates", "messages-tuple", "messages"] as const;
    const { events } = await worker.run({ graph: "nested", input: hello, modes: [...modes], subgraphs: true });
    expect(names(events)).toEqual([
      "values",
      "messages/complete",
      "values|sub:id",
      "messages|sub:id|model:id",
      "messages/metadata",
      "messages/partial",
      "messages|sub:id|model:id",
      "messages/partial",
      "messages|sub:id|model:id",
      "messages/partial",
      "updates|sub:id",
      "values|sub:id",
      "messages/complete",
      "updates",
      "values",
    ]);
  });

  test("send no events unless they are requested", async () => {
    const { events } = await worker.run({ graph: "nested", input: hello, modes: ["updates", "values"] });
    expect(names(events)).toEqual(["values", "updates", "values"]);
  });
});

describe("events", () => {
  test("are LangChain's, and the root's own chunks also appear as their modes", async () => {
    const { events } = await worker.run({ graph: "chat", input: hello, modes: ["events", "values", "messages-tuple"] });
    const modelEvents = events
      .filter(({ event }) => event === "events")
      .map(({ data }) => data as { event: string; name: string });
    expect(modelEvents.map(({ event, name }) => `${event} ${name}`)).toEqual([
      "on_chain_start LangGraph",
      "on_chain_start model",
      "on_chat_model_start Speaker",
      "on_chat_model_stream Speaker",
      "on_chat_model_stream Speaker",
      "on_chat_model_stream Speaker",
      "on_chat_model_end Speaker",
      "on_chain_end model",
      "on_chain_end LangGraph",
    ]);
    expect(modelEvents[3]).toMatchObject({
      run_id: expect.any(String),
      tags: [],
      metadata: {},
      data: { chunk: ai("H") },
    });
    const others = events.filter(({ event }) => event !== "events");
    expect(others.map(({ event }) => event).toSorted()).toEqual([
      "messages",
      "messages",
      "messages",
      "values",
      "values",
    ]);
    expect(others.at(-1)?.data).toEqual({ messages: [human, ai("Hi!")] });
  });

  test("report a failed run as an error, too", async () => {
    const { status, error, ends } = await worker.run({ graph: "fails", input: { n: 0 }, modes: ["events"] });
    expect({ status, error, ends }).toEqual({
      status: "error",
      error: { error: "RangeError", message: "kaput", source: { file: "graphs.ts", line: 104 } },
      ends: 1,
    });
  });
});

describe("tools", () => {
  test("start and end of a tool, with a flat message as output", async () => {
    const { events } = await worker.run({ graph: "tools", input: { messages: [] }, modes: ["tools"] });
    expect(events).toMatchObject([
      { event: "tools", data: { event: "on_tool_start", toolCallId: "call_1", name: "echo", input: '{"x":"a"}' } },
      {
        event: "tools",
        data: {
          event: "on_tool_end",
          toolCallId: "call_1",
          name: "echo",
          output: { type: "tool", content: "echo:a", tool_call_id: "call_1", status: "success" },
        },
      },
    ]);
  });

  test("a tool that throws reports its error", async () => {
    const { events } = await worker.run({ graph: "brokenTool", input: { messages: [] }, modes: ["tools"] });
    expect(events[1]?.data).toEqual({
      event: "on_tool_error",
      toolCallId: "call_1",
      name: "broken",
      error: { name: "TypeError", message: "no tool" },
    });
  });
});

test("no event has LangChain's constructor form", async () => {
  const modes = [
    "values",
    "updates",
    "messages",
    "messages-tuple",
    "debug",
    "tasks",
    "checkpoints",
    "events",
    "tools",
  ] as const;
  for (const graph of ["chat", "nested", "tools"]) {
    const { events } = await worker.run({ graph, input: hello, modes: [...modes], subgraphs: true });
    expect(JSON.stringify(events)).not.toMatch(/"lc":1|"lc_kwargs"/);
  }
});

test("a recursion error keeps its class, and earlier events are sent", async () => {
  const { events, status, error } = await worker.run({
    graph: "endless",
    input: { n: 0 },
    modes: ["updates"],
    config: { recursion_limit: 3 },
  });
  expect(events).toHaveLength(3);
  expect(status).toBe("error");
  expect(error).toMatchObject({
    error: "GraphRecursionError",
    message: expect.stringContaining("Recursion limit of 3 reached"),
  });
});

import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, describe, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";

const server = useServer({ app: resolve(import.meta.dirname, "apps/modes") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

const hello = { messages: [{ role: "user", content: "hello", id: "u1" }] };

interface Part {
  id?: string;
  event: string;
  // The content depends on the mode; each test states its type.
  data: never;
}

async function stream(graph: string, payload: object = {}): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of client.runs.stream(null, graph, { input: hello, ...payload })) {
    parts.push(part as unknown as Part);
  }
  return parts;
}
const named = (parts: readonly Part[], event: string): Part["data"][] =>
  parts.filter((part) => part.event === event).map((part) => part.data);

describe("the official client", () => {
  test("receives metadata first, with the run's id and attempt 1", async () => {
    const parts = await stream("chat", { streamMode: "values" });
    expect(parts[0]).toMatchObject({ event: "metadata", data: { run_id: expect.any(String), attempt: 1 } });
    expect(parts.map((part) => part.id)).toEqual(parts.map((_, index) => String(index)));
  });

  test("receives the whole state after each step as values", async () => {
    const states = named(await stream("chat", { streamMode: "values" }), "values");
    expect(states.map((state: { messages: object[] }) => state.messages.length)).toEqual([1, 2]);
    expect(states[1]).toMatchObject({
      messages: [
        { type: "human", content: "hello", id: "u1" },
        { type: "ai", content: "Hi!" },
      ],
    });
  });

  test("receives the result of each node as updates", async () => {
    const updates = named(await stream("chat", { streamMode: "updates" }), "updates");
    expect(updates).toMatchObject([{ model: { messages: [{ type: "ai", content: "Hi!" }] } }]);
  });

  test("receives each token under one message id as messages-tuple, with its node and graph", async () => {
    const tuples: [{ content: string; id: string }, Record<string, unknown>][] = named(
      await stream("chat", { streamMode: "messages-tuple" }),
      "messages",
    );
    expect(tuples.map(([chunk]) => chunk.content).join("")).toBe("Hi!");
    expect(tuples.filter(([chunk]) => chunk.content !== "").length).toBe(3);
    expect(new Set(tuples.map(([chunk]) => chunk.id)).size).toBe(1);
    expect(tuples[0]?.[1]).toMatchObject({ langgraph_node: "model", graph_id: "chat", run_attempt: 1 });
  });

  test("receives every token of a model that is faster than its readers, in 20 concurrent runs", async () => {
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => stream("tokens", { streamMode: "messages-tuple" })),
    );
    const texts = runs.map((parts) => named(parts, "messages").map(([chunk]: [{ content: string }]) => chunk.content));
    expect(texts.map((chunks) => chunks.join("").length)).toEqual(runs.map(() => 100));
  });

  test("receives accumulated messages: metadata, growing partials, then complete", async () => {
    const parts = await stream("chat", { streamMode: "messages" });
    const partials: { content: string }[][] = named(parts, "messages/partial");
    expect(partials.at(-1)?.[0]?.content).toBe("Hi!");
    const names = parts.map((part) => part.event);
    expect(names.indexOf("messages/metadata")).toBeLessThan(names.indexOf("messages/partial"));
    const complete: { id: string; content: string }[][] = named(parts, "messages/complete");
    expect(complete.flat().map((message) => message.content)).toEqual(["hello", "Hi!"]);
  });

  test("receives what a node wrote as custom", async () => {
    expect(named(await stream("custom", { streamMode: "custom" }), "custom")).toEqual([
      { progress: 1 },
      { progress: 2 },
      { progress: 3 },
    ]);
  });

  test("receives the start and the result of each task as tasks", async () => {
    const [start, result] = named(await stream("chat", { streamMode: "tasks" }), "tasks");
    expect(start).toMatchObject({
      name: "model",
      input: { messages: [{ content: "hello" }] },
      triggers: expect.any(Array),
    });
    expect(result).toMatchObject({ name: "model", result: { messages: [{ content: "Hi!" }] } });
  });

  test("receives values, metadata and the next nodes as checkpoints", async () => {
    const checkpoints = named(await stream("chat", { streamMode: "checkpoints" }), "checkpoints");
    expect(checkpoints.map((one: { metadata: { step: number } }) => one.metadata.step)).toEqual([-1, 0, 1]);
    expect(checkpoints[1]).toMatchObject({ next: ["model"], values: { messages: [{ content: "hello" }] } });
  });

  test("receives checkpoints and tasks as debug", async () => {
    const debug = named(await stream("chat", { streamMode: "debug" }), "debug");
    expect(new Set(debug.map((one: { type: string }) => one.type))).toEqual(
      new Set(["checkpoint", "task", "task_result"]),
    );
  });

  test("receives the events of the runnables, from start to end", async () => {
    const names = named(await stream("chat", { streamMode: "events" }), "events").map(
      (one: { event: string }) => one.event,
    );
    expect(names[0]).toBe("on_chain_start");
    expect(names.filter((name) => name === "on_chat_model_stream").length).toBe(3);
    expect(names.at(-1)).toBe("on_chain_end");
  });

  test("receives several modes in one stream, each under its own name", async () => {
    const parts = await stream("chat", { streamMode: ["values", "updates", "messages-tuple", "custom"] });
    expect(new Set(parts.map((part) => part.event))).toEqual(new Set(["metadata", "values", "updates", "messages"]));
  });

  test("receives events of subgraphs under their namespace only with streamSubgraphs", async () => {
    const nested = await stream("family", { streamMode: ["updates", "values"], streamSubgraphs: true });
    expect(nested.some((part) => /^updates\|child:[0-9a-f-]{36}$/.test(part.event))).toBe(true);
    expect(nested.some((part) => part.event === "updates")).toBe(true);
    const plain = await stream("family", { streamMode: ["updates", "values"] });
    expect(plain.filter((part) => part.event.includes("|"))).toEqual([]);
  });

  test("receives an error event with class, message and place, and the server's log has the stack", async () => {
    const parts = await stream("failing", { streamMode: "values" });
    const source = { file: "graphs.mjs", line: expect.any(Number) as number };
    expect(parts.at(-1)).toEqual({
      event: "error",
      id: expect.any(String) as string,
      data: { error: "RangeError", message: "kaput", source },
    });
    expect(JSON.stringify(parts)).not.toMatch(/ at |\/graphs\.mjs/);
    await expect.poll(() => server.output()).toMatch(/RangeError: kaput\n.*graphs\.mjs/s);
  });

  test("receives an error when the recursion limit is reached", async () => {
    const parts = await stream("steps", { input: { n: 0 }, streamMode: "values", config: { recursion_limit: 3 } });
    expect(parts.at(-1)).toMatchObject({ event: "error", data: { error: "GraphRecursionError" } });
  });

  test("receives an interrupt in updates and in values, and the stream ends", async () => {
    const parts = await stream("ask", { streamMode: ["updates", "values"] });
    const interrupt = { __interrupt__: [{ id: expect.any(String), value: { q: "ok?" } }] };
    expect(named(parts, "updates")).toContainEqual(interrupt);
    expect(named(parts, "values").at(-1)).toMatchObject(interrupt);
  });

  test("receives a breakpoint before a node as an empty interrupt", async () => {
    const parts = await stream("steps", {
      input: { n: 0 },
      streamMode: ["updates", "values"],
      interruptBefore: ["two"],
    });
    expect(named(parts, "updates")).toContainEqual({ __interrupt__: [] });
    expect(named(parts, "updates")).toContainEqual({ one: { n: 1 } });
    expect(JSON.stringify(parts)).not.toContain('"two"');
    const after = await stream("steps", { input: { n: 0 }, streamMode: "updates", interruptAfter: "*" });
    expect(named(after, "updates")).toEqual([{ one: { n: 1 } }, { __interrupt__: [] }]);
  });
});

describe("a run", () => {
  const seen = async (payload: object): Promise<Record<string, Record<string, unknown>>> => {
    const values = named(await stream("seen", { input: {}, streamMode: "values", ...payload }), "values").at(-1);
    return (values as unknown as { seen: Record<string, Record<string, unknown>> }).seen;
  };

  test("receives configurable, context, metadata and tags of the request", async () => {
    const surroundings = await seen({
      config: { configurable: { tone: "dry" }, tags: ["t"] },
      context: { user: "ada" },
      metadata: { ticket: 7 },
    });
    expect(surroundings.configurable).toMatchObject({ tone: "dry", graph_id: "seen", run_id: expect.any(String) });
    expect(surroundings.context).toEqual({ user: "ada" });
    expect(surroundings.metadata).toMatchObject({ ticket: 7, created_by: "system" });
    expect(surroundings.tags).toContain("t");
  });

  test("has the variables of its application, and none of the platform's", async () => {
    const { environment, folder } = await seen({});
    expect(environment).toMatchObject({ GREETING: "hello from the configuration" });
    // This variable marks the processes of a worker, which are ended with it.
    expect(Object.keys(environment ?? {}).filter((name) => name.startsWith("GRAPHLIB_") || name === "PORT")).toEqual([
      "GRAPHLIB_WORKER",
    ]);
    expect(folder).toBe("modes");
  });

  test("calls a graph factory with its config", async () => {
    const values = async (tone: string): Promise<{ seen: { uses: number; tone: string } }> =>
      named(
        await stream("factory", { input: {}, streamMode: "values", config: { configurable: { tone } } }),
        "values",
      ).at(-1) as never;
    const first = await values("dry");
    const second = await values("warm");
    expect(first.seen.tone).toBe("dry");
    expect(second.seen).toEqual({ tone: "warm", uses: first.seen.uses + 1 });
  });
});

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
  // What a mode carries is what each test says it is.
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

describe("what the official client reads", () => {
  test("metadata comes first, with the run's id and attempt 1", async () => {
    const parts = await stream("chat", { streamMode: "values" });
    expect(parts[0]).toMatchObject({ event: "metadata", data: { run_id: expect.any(String), attempt: 1 } });
    expect(parts.map((part) => part.id)).toEqual(parts.map((_, index) => String(index)));
  });

  test("values are the whole state after each step", async () => {
    const states = named(await stream("chat", { streamMode: "values" }), "values");
    expect(states.map((state: { messages: object[] }) => state.messages.length)).toEqual([1, 2]);
    expect(states[1]).toMatchObject({
      messages: [
        { type: "human", content: "hello", id: "u1" },
        { type: "ai", content: "Hi!" },
      ],
    });
  });

  test("updates are what each node returned", async () => {
    const updates = named(await stream("chat", { streamMode: "updates" }), "updates");
    expect(updates).toMatchObject([{ model: { messages: [{ type: "ai", content: "Hi!" }] } }]);
  });

  test("messages-tuple gives token by token under one message id, with where it comes from", async () => {
    const tuples: [{ content: string; id: string }, Record<string, unknown>][] = named(
      await stream("chat", { streamMode: "messages-tuple" }),
      "messages",
    );
    expect(tuples.map(([chunk]) => chunk.content).join("")).toBe("Hi!");
    expect(tuples.filter(([chunk]) => chunk.content !== "").length).toBe(3);
    expect(new Set(tuples.map(([chunk]) => chunk.id)).size).toBe(1);
    expect(tuples[0]?.[1]).toMatchObject({ langgraph_node: "model", graph_id: "chat", run_attempt: 1 });
  });

  test("no token is lost of a model that is faster than its listeners, 20 runs side by side", async () => {
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => stream("tokens", { streamMode: "messages-tuple" })),
    );
    const texts = runs.map((parts) => named(parts, "messages").map(([chunk]: [{ content: string }]) => chunk.content));
    expect(texts.map((chunks) => chunks.join("").length)).toEqual(runs.map(() => 100));
  });

  test("messages accumulates: metadata, then longer and longer partials, then complete", async () => {
    const parts = await stream("chat", { streamMode: "messages" });
    const partials: { content: string }[][] = named(parts, "messages/partial");
    expect(partials.at(-1)?.[0]?.content).toBe("Hi!");
    const names = parts.map((part) => part.event);
    expect(names.indexOf("messages/metadata")).toBeLessThan(names.indexOf("messages/partial"));
    const complete: { id: string; content: string }[][] = named(parts, "messages/complete");
    expect(complete.flat().map((message) => message.content)).toEqual(["hello", "Hi!"]);
  });

  test("custom passes what the node wrote", async () => {
    expect(named(await stream("custom", { streamMode: "custom" }), "custom")).toEqual([
      { progress: 1 },
      { progress: 2 },
      { progress: 3 },
    ]);
  });

  test("tasks tell the start and the result of each task", async () => {
    const [start, result] = named(await stream("chat", { streamMode: "tasks" }), "tasks");
    expect(start).toMatchObject({
      name: "model",
      input: { messages: [{ content: "hello" }] },
      triggers: expect.any(Array),
    });
    expect(result).toMatchObject({ name: "model", result: { messages: [{ content: "Hi!" }] } });
  });

  test("checkpoints tell values, metadata and what comes next", async () => {
    const checkpoints = named(await stream("chat", { streamMode: "checkpoints" }), "checkpoints");
    expect(checkpoints.map((one: { metadata: { step: number } }) => one.metadata.step)).toEqual([-1, 0, 1]);
    expect(checkpoints[1]).toMatchObject({ next: ["model"], values: { messages: [{ content: "hello" }] } });
  });

  test("debug tells checkpoints and tasks with their step and time", async () => {
    const debug = named(await stream("chat", { streamMode: "debug" }), "debug");
    expect(new Set(debug.map((one: { type: string }) => one.type))).toEqual(
      new Set(["checkpoint", "task", "task_result"]),
    );
  });

  test("events are those of the runnables, from start to end", async () => {
    const names = named(await stream("chat", { streamMode: "events" }), "events").map(
      (one: { event: string }) => one.event,
    );
    expect(names[0]).toBe("on_chain_start");
    expect(names.filter((name) => name === "on_chat_model_stream").length).toBe(3);
    expect(names.at(-1)).toBe("on_chain_end");
  });

  test("several modes come side by side, each under its own name", async () => {
    const parts = await stream("chat", { streamMode: ["values", "updates", "messages-tuple", "custom"] });
    expect(new Set(parts.map((part) => part.event))).toEqual(new Set(["metadata", "values", "updates", "messages"]));
  });

  test("subgraphs tell under their namespace when asked for, and not otherwise", async () => {
    const asked = await stream("family", { streamMode: ["updates", "values"], streamSubgraphs: true });
    expect(asked.some((part) => /^updates\|child:[0-9a-f-]{36}$/.test(part.event))).toBe(true);
    expect(asked.some((part) => part.event === "updates")).toBe(true);
    const plain = await stream("family", { streamMode: ["updates", "values"] });
    expect(plain.filter((part) => part.event.includes("|"))).toEqual([]);
  });

  test("a failing graph is an error event with class name and message, and the log has the stack", async () => {
    const parts = await stream("failing", { streamMode: "values" });
    expect(parts.at(-1)).toMatchObject({ event: "error", data: { error: "RangeError", message: "kaput" } });
    expect(JSON.stringify(parts)).not.toContain("graphs.mjs");
    await expect.poll(() => server.output()).toMatch(/RangeError: kaput\n.*graphs\.mjs/s);
  });

  test("the recursion limit ends a run with its own error", async () => {
    const parts = await stream("steps", { input: { n: 0 }, streamMode: "values", config: { recursion_limit: 3 } });
    expect(parts.at(-1)).toMatchObject({ event: "error", data: { error: "GraphRecursionError" } });
  });

  test("an interrupt shows in updates and in values, and the stream ends", async () => {
    const parts = await stream("ask", { streamMode: ["updates", "values"] });
    const interrupt = { __interrupt__: [{ id: expect.any(String), value: { q: "ok?" } }] };
    expect(named(parts, "updates")).toContainEqual(interrupt);
    expect(named(parts, "values").at(-1)).toMatchObject(interrupt);
  });

  test("a breakpoint before a node shows as an empty interrupt", async () => {
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

describe("what a run sees", () => {
  const seen = async (payload: object): Promise<Record<string, Record<string, unknown>>> => {
    const values = named(await stream("seen", { input: {}, streamMode: "values", ...payload }), "values").at(-1);
    return (values as unknown as { seen: Record<string, Record<string, unknown>> }).seen;
  };

  test("configurable, context, metadata and tags of the request arrive", async () => {
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

  test("its environment is its own: declared variables, and nothing of the platform", async () => {
    const { environment, folder } = await seen({});
    expect(environment).toMatchObject({ GREETING: "hello from the configuration" });
    // The mark that its processes are known by when it ends.
    expect(Object.keys(environment ?? {}).filter((name) => name.startsWith("GRAPHLIB_") || name === "PORT")).toEqual([
      "GRAPHLIB_WORKER",
    ]);
    expect(folder).toBe("modes");
  });

  test("a graph factory is called for every run, with its config", async () => {
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

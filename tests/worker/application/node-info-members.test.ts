import { FakeListChatModel } from "@langchain/core/utils/testing";
import { Annotation, Command, END, START, StateGraph } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { readNodeInfo } from "../../../lib/protocol/node-info.ts";
import { nodeInfos } from "../../../lib/worker/application/node-info.ts";
import type { Graph } from "../../../lib/worker/langgraph.ts";

const State = Annotation.Root({ a: Annotation<string>(), b: Annotation<string>() });
const nothing = () => undefined;

/** The types of a compiled graph name its nodes; the worker takes any. */
const infosOf = async (graph: unknown) => Object.fromEntries(await nodeInfos(graph as Graph, nothing));

test("what a node was given is told, and nothing else", async () => {
  const graph = new StateGraph(State)
    .addNode("plain", () => ({}))
    .addNode("reads", () => ({}), { input: Annotation.Root({ a: Annotation<string>() }) })
    .addNode("goes", () => new Command({ goto: "late" }), { ends: ["late", END] })
    .addNode("late", () => ({}), { defer: true, cachePolicy: { ttl: 60 } })
    .addEdge(START, "plain")
    .addEdge("plain", "reads")
    .addEdge("reads", "goes")
    .compile({ interruptBefore: ["reads"], interruptAfter: ["goes"] });
  expect(await infosOf(graph)).toEqual({
    plain: { kind: "node" },
    reads: { kind: "node", reads: ["a"], interrupt_before: true },
    goes: { kind: "node", ends: ["late", "__end__"], interrupt_after: true },
    late: { kind: "node", defer: true, cache: { ttl: 60 } },
  });
});

test("a chat model is a node of its own kind, also at the end of a chain", async () => {
  const model = Object.assign(new FakeListChatModel({ responses: ["x"] }), { model: "tiny" });
  const graph = new StateGraph(State)
    .addNode("bare", model)
    .addNode(
      "chained",
      model.pipe(() => ({})),
    )
    .addEdge(START, "bare")
    .addEdge("bare", "chained")
    .compile();
  expect(await infosOf(graph)).toMatchObject({
    bare: { kind: "model", model: "tiny" },
    chained: { kind: "model", model: "tiny" },
  });
});

test("a function that calls a graph is a subgraph if it says so", async () => {
  const inner = new StateGraph(State)
    .addNode("one", () => ({}))
    .addEdge(START, "one")
    .compile();
  const graph = new StateGraph(State)
    .addNode("calls", async (state) => await inner.invoke(state), { subgraphs: [inner] })
    .addEdge(START, "calls")
    .compile();
  expect(await infosOf(graph)).toEqual({ calls: { kind: "subgraph" }, "calls:one": { kind: "node" } });
});

test("retries of the whole graph are those of its nodes", async () => {
  const graph = new StateGraph(State)
    .addNode("one", () => ({}))
    .addNode("two", () => ({}), { retryPolicy: { maxAttempts: 9 } })
    .addEdge(START, "one")
    .addEdge("one", "two")
    .setNodeDefaults({ retryPolicy: { maxAttempts: 2, maxInterval: Infinity } })
    .compile();
  expect(await infosOf(graph)).toEqual({
    one: { kind: "node", retry: { max_attempts: 2 } },
    two: { kind: "node", retry: { max_attempts: 9 } },
  });
});

test("a value that throws when it is read hides only its own node", async () => {
  const hostile = {
    get runnable(): unknown {
      throw new Error("no");
    },
  };
  const graph = { builder: { nodes: { bad: hostile, good: { runnable: {} } } } };
  expect(await infosOf(graph)).toEqual({ good: { kind: "node" } });
  expect(await infosOf(undefined)).toEqual({});
  expect(await infosOf({ builder: 4, nodes: [] })).toEqual({});
});

test("lists and texts are bounded", async () => {
  const tools = Array.from({ length: 500 }, () => ({ name: "n".repeat(5000), description: "d".repeat(5000) }));
  const info = (await infosOf({ builder: { nodes: { tools: { runnable: { tools } } } } })).tools;
  expect(info?.tools).toHaveLength(100);
  expect(JSON.stringify(info).length).toBeLessThan(150_000);
});

test("metadata of other servers tells nothing", () => {
  expect(readNodeInfo(undefined)).toBeUndefined();
  expect(readNodeInfo({ kind: "something" })).toBeUndefined();
  expect(readNodeInfo({ kind: "node", source: { file: "a.ts", line: 3 }, more: 1 })).toEqual({
    kind: "node",
    source: { file: "a.ts", line: 3 },
  });
});

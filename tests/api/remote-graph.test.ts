/** Compares RemoteGraph of LangGraph against a started server with the same graph in process. */
import { resolve } from "node:path";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  Command,
  type CompiledGraph,
  isGraphInterrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  type StateSnapshot,
} from "@langchain/langgraph";
import { RemoteGraph } from "@langchain/langgraph/remote";
import { describe, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";
import { counted, outer } from "./apps/nested/graphs.mjs";

const server = useServer({ app: resolve(import.meta.dirname, "apps/nested") });

type AnyGraph = Pick<CompiledGraph<string>, "invoke" | "stream" | "getState" | "getStateHistory" | "updateState">;
const local = { outer, counted };
type Name = keyof typeof local;

const remote = (graphId: Name | "named") => new RemoteGraph({ graphId, url: server.url });

/** Returns the graph on the server, and one that keeps its threads in memory. */
function both(name: Name): AnyGraph[] {
  // The two types differ in details that do not matter here.
  const graph = (local[name] as unknown as CompiledGraph<string>).withConfig({});
  graph.checkpointer = new MemorySaver();
  return [remote(name), graph];
}

/** Drops everything that is random, depends on time, or differs between server and process. */
const plain = (result: unknown): unknown =>
  JSON.parse(
    JSON.stringify([result], (key, value: unknown) =>
      ["id", "interrupt_id", "lc_id", "createdAt", "run_id"].includes(key) ? undefined : value,
    ).replace(/:[0-9a-f-]{36}/g, ""),
  );

async function compare(
  name: Name,
  act: (graph: AnyGraph, config: RunnableConfig) => Promise<unknown>,
): Promise<unknown> {
  const configurable = { thread_id: crypto.randomUUID() };
  const [actual, expected] = await Promise.all(both(name).map((graph) => act(graph, { configurable })));
  expect(plain(actual)).toEqual(plain(expected));
  return actual;
}

async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const summary = ({ values, next, tasks, metadata }: StateSnapshot): unknown => ({
  values,
  next,
  source: metadata?.source,
  step: metadata?.step,
  tasks: tasks.map(({ name, interrupts, state }) => ({
    name,
    interrupts: interrupts.map(({ value }) => value as unknown),
    state: state !== undefined && "values" in state ? summary(state) : Object.keys(state?.configurable ?? {}),
  })),
});

/** Waits for a call. A remote graph throws at an interrupt; one in process returns. */
async function untilInterrupted(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!isGraphInterrupt(error)) throw error;
  });
}

describe("a remote graph behaves as in process:", () => {
  test("is interrupted, has states and a history, is updated in a subgraph, and resumes by a command", async () => {
    const shown = await compare("outer", async (graph, config) => {
      await untilInterrupted(graph.invoke({}, config));
      const states = [await graph.getState(config), await graph.getState(config, { subgraphs: true })];
      const below = states[0]?.tasks[0]?.state as RunnableConfig | undefined;
      const inner = { configurable: { ...config.configurable, ...below?.configurable } };
      states.push(await graph.getState(inner));
      await graph.updateState(inner, { mine: ["more"] }, "before");
      states.push(await graph.getState(inner), ...(await listed(graph.getStateHistory(inner))));
      await untilInterrupted(graph.invoke(new Command({ resume: "1" }), config));
      states.push(await graph.getState(config));
      return states.map(summary);
    });
    expect(shown).toHaveLength(9);
  });

  test("updates its state as a node, now and at an earlier checkpoint", async () => {
    const shown = await compare("outer", async (graph, config) => {
      await untilInterrupted(graph.invoke({}, config));
      await graph.updateState(config, { log: ["by hand"] }, "in");
      const before = await listed(graph.getStateHistory(config, { limit: 10 }));
      const fork = before.find(({ next }) => next.includes("in"));
      await graph.updateState({ configurable: { ...fork?.config.configurable } }, { log: ["forked"] }, "in");
      return [...before, ...(await listed(graph.getStateHistory(config, { limit: 10 })))].map(summary);
    });
    expect(shown).toHaveLength(9);
  });

  test.each(["values", "updates", "custom", "messages"] as const)("streams %s", async (streamMode) => {
    const shown = await compare("counted", async (graph, config) => {
      const input = { messages: [{ role: "user", content: "hello" }] };
      const items = await listed(await graph.stream(input, { ...config, streamMode }));
      if (streamMode !== "messages") return items.map((item) => contents(item));
      const pieces = items.map((item) => (item as unknown as [{ content: string }])[0].content);
      return pieces.join("");
    });
    expect(shown).not.toHaveLength(0);
  });
});

/** Reduces messages to their content: they are objects in process, and JSON from a server. */
function contents(item: unknown): unknown {
  return JSON.parse(
    JSON.stringify(item, (key, value: unknown) => {
      if (key !== "messages" || !Array.isArray(value)) return value;
      return value.map(
        (one: { content?: unknown; kwargs?: { content: unknown } }) => one.content ?? one.kwargs?.content,
      );
    }),
  );
}

test("a remote graph is a node of another graph", async () => {
  const around = new StateGraph(MessagesAnnotation)
    .addNode("there", remote("counted") as never)
    .addEdge(START, "there")
    .compile();
  const { messages } = await around.invoke({ messages: [{ role: "user", content: "hello" }] });
  expect(messages.map(({ content }) => content)).toEqual(["hello", "one two"]);
});

test("it has a drawing and subgraphs, each with the graph that it belongs to", async () => {
  const drawing = await remote("outer").getGraphAsync({ xray: true });
  expect(drawing.drawMermaid()).toContain("inside");
  const inside = await listed(remote("outer").getSubgraphsAsync(undefined, true));
  expect(inside.map(([name, graph]) => [name, (graph as RemoteGraph).graphId])).toEqual([
    ["inside", "outer"],
    ["inside|deep", "outer"],
  ]);
});

test("streams of version v3 stop at an interrupt, and resume by a command", async () => {
  const graph = remote("outer");
  const config = { version: "v3" as const, configurable: { thread_id: crypto.randomUUID() } };
  const first = await graph.streamEvents({}, config);
  await first.output;
  expect(first.interrupted).toBe(true);
  expect(first.interrupts.map(({ payload }) => payload)).toEqual(["first?"]);
  const questionsAndLog = async () => {
    const { tasks, values } = await graph.getState(config);
    return tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value as unknown)).concat(values.log);
  };
  await graph.streamEvents(new Command({ resume: "1" }), config);
  await expect.poll(questionsAndLog, { timeout: 10_000 }).toContain("second?");
  await graph.streamEvents(new Command({ resume: "2" }), config);
  await expect.poll(questionsAndLog, { timeout: 10_000 }).toContain("1 and 2");
});

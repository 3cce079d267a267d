import { resolve } from "node:path";
import type { RunnableConfig } from "@langchain/core/runnables";
import { Command, MemorySaver, type StateSnapshot, type Pregel } from "@langchain/langgraph";
import { Client, type ThreadState } from "@langchain/langgraph-sdk";
import { beforeAll, expect, test } from "vitest";
import { useServer } from "../support/use-server.ts";
import { outer } from "./apps/nested/graphs.mjs";

const server = useServer({ app: resolve(import.meta.dirname, "apps/nested") });
let client: Client;
beforeAll(() => {
  client = new Client({ apiUrl: server.url, apiKey: null });
});

type CheckpointRef = { thread_id: string; checkpoint_ns: string; checkpoint_id?: string };

/** The same operations on a thread of the server and, for comparison, on LangGraph in process. */
interface Backend {
  begin(): Promise<void>;
  /** Continues from the thread's state, with an answer if one is given. */
  resume(resume?: string): Promise<void>;
  state(place: Partial<CheckpointRef>, subgraphs?: boolean): Promise<StateSummary>;
  history(checkpoint_ns: string): Promise<StateSummary[]>;
  update(place: Partial<CheckpointRef>, values: object, asNode: string): Promise<void>;
}

/** A state without ids and times, for the comparison. */
interface StateSummary {
  values: unknown;
  next: readonly string[];
  tasks: {
    name: string;
    interrupts: unknown[];
    checkpoint: Record<string, unknown> | null;
    state?: StateSummary | null;
  }[];
  source?: string;
}

async function onServer(): Promise<Backend> {
  const { thread_id } = await client.threads.create({ graphId: "outer" });
  const summary = ({ values, next, tasks, metadata }: ThreadState): StateSummary => ({
    values,
    next,
    tasks: tasks.map(({ name, interrupts, checkpoint, state }) => ({
      name,
      interrupts: interrupts.map(({ value }) => value),
      checkpoint: checkpoint as Record<string, unknown> | null,
      state: state && summary(state),
    })),
    source: metadata?.source,
  });
  return {
    async begin() {
      await client.runs.wait(thread_id, "outer", { input: {} });
    },
    async resume(resume) {
      await client.runs.wait(thread_id, "outer", resume === undefined ? { input: null } : { command: { resume } });
    },
    async state({ checkpoint_ns = "", checkpoint_id }, subgraphs = false) {
      const checkpoint = { checkpoint_ns, checkpoint_id: checkpoint_id ?? undefined };
      return summary(await client.threads.getState(thread_id, checkpoint as never, { subgraphs }));
    },
    async history(checkpoint_ns) {
      const states = await client.threads.getHistory(thread_id, { checkpoint: { checkpoint_ns }, limit: 100 });
      return states.map(summary);
    },
    async update({ checkpoint_ns = "" }, values, asNode) {
      await client.threads.updateState(thread_id, { values, asNode, checkpoint: { checkpoint_ns } as never });
    },
  };
}

function inProcess(): Backend {
  const graph = outer.withConfig({}) as unknown as Pregel<never, never>;
  graph.checkpointer = new MemorySaver();
  const thread_id = "t";
  const at = (place: Partial<CheckpointRef>) => ({ configurable: { thread_id, checkpoint_ns: "", ...place } });
  const summary = ({ values, next, tasks, metadata }: StateSnapshot): StateSummary => ({
    values,
    next,
    tasks: tasks.map(({ name, interrupts, state }) => {
      const nested = state !== undefined && "values" in state ? state : undefined;
      return {
        name,
        interrupts: interrupts.map(({ value }) => value as unknown),
        checkpoint: state && !nested ? ((state as RunnableConfig).configurable ?? null) : null,
        state: nested ? summary(nested) : null,
      };
    }),
    source: metadata?.source,
  });
  return {
    async begin() {
      await graph.invoke({}, at({}));
    },
    async resume(resume) {
      await graph.invoke(resume === undefined ? null : new Command({ resume }), at({}));
    },
    state: async (place, subgraphs = false) => summary(await graph.getState(at(place), { subgraphs })),
    async history(checkpoint_ns) {
      const states: StateSummary[] = [];
      for await (const state of graph.getStateHistory(at({ checkpoint_ns }))) states.push(summary(state));
      return states;
    },
    async update(place, values, asNode) {
      await graph.updateState(at(place), values, asNode);
    },
  };
}

/** Drops random ids. Namespaces are compared by their nodes. */
const plain = (result: unknown): unknown =>
  JSON.parse(
    JSON.stringify([result], (key, value: unknown) => (key === "thread_id" ? "t" : value)).replace(
      /:[0-9a-f-]{36}/g,
      "",
    ),
  );

async function namespaces(side: Backend): Promise<[inner: string, deep: string]> {
  const first = (await side.state({})).tasks[0]?.checkpoint?.checkpoint_ns as string;
  const second = (await side.state({ checkpoint_ns: first })).tasks[0]?.checkpoint?.checkpoint_ns as string;
  return [first, second];
}

/** Runs the same operations on both sides and compares the results. */
async function compare(act: (side: Backend) => Promise<unknown>): Promise<unknown> {
  const [actual, expected] = await Promise.all([act(served), act(judge)]);
  expect(plain(actual)).toEqual(plain(expected));
  return actual;
}

let served: Backend;
let judge: Backend;

test("a subgraph has its state, its history and its interrupts by its namespace", async () => {
  served = await onServer();
  judge = inProcess();
  await compare((side) => side.begin());
  const shown = await compare(async (side) => {
    const [inner, deep] = await namespaces(side);
    const nested = await side.state({}, true);
    return [
      nested,
      await side.state({ checkpoint_ns: inner }),
      await side.state({ checkpoint_ns: deep }),
      await side.history(inner),
      await side.history(deep),
      await side.history(""),
    ];
  });
  expect(shown).toMatchObject([
    {
      tasks: [{ name: "inside", checkpoint: null, state: { next: ["deep"], tasks: [{ state: { next: ["first"] } }] } }],
    },
    { values: { mine: ["kept here"] }, next: ["deep"] },
    { next: ["first"], tasks: [{ name: "first", interrupts: ["first?"] }] },
    expect.any(Array),
    expect.any(Array),
    expect.any(Array),
  ]);
});

test("its state is updated by its own nodes, and the run continues from there", async () => {
  served = await onServer();
  judge = inProcess();
  await compare((side) => side.begin());
  await compare(async (side) => {
    const [, checkpoint_ns] = await namespaces(side);
    await side.update({ checkpoint_ns }, { deepest: "by hand" }, "first");
    return [await side.state({ checkpoint_ns }), await side.state({})];
  });
  await compare(async (side) => {
    await side.resume();
    return await side.state({}, true);
  });
  const last = await compare(async (side) => {
    await side.resume("2");
    return await side.state({});
  });
  expect(last).toMatchObject({ values: { log: expect.arrayContaining(["by hand and 2"]) }, next: [] });
});

test("an update of a subgraph does not change the thread's own values and status", async () => {
  const { thread_id } = await client.threads.create({ graphId: "outer" });
  await client.runs.wait(thread_id, "outer", { input: {} });
  const before = await client.threads.get(thread_id);
  const root = await client.threads.getState(thread_id);
  const checkpoint = root.tasks[0]?.checkpoint as never;
  const updated = await client.threads.updateState(thread_id, {
    values: { mine: ["more"] },
    asNode: "before",
    checkpoint,
  });
  expect(updated.configurable).toMatchObject({ checkpoint_ns: expect.stringMatching(/^inside:/) });
  const { values, status } = await client.threads.get(thread_id);
  expect({ values, status }).toEqual({ values: before.values, status: before.status });
});

test("a task has only the known members of its checkpoint, and a nested state has no list of interrupts", async () => {
  const { thread_id } = await client.threads.create({ graphId: "outer" });
  await client.runs.wait(thread_id, "outer", { input: {} });
  const { tasks } = await client.threads.getState(thread_id);
  expect(tasks[0]?.checkpoint).toEqual({ thread_id, checkpoint_ns: expect.stringMatching(/^inside:[0-9a-f-]{36}$/) });
  const [nested] = (await client.threads.getState(thread_id, undefined, { subgraphs: true })).tasks;
  expect(nested?.checkpoint).toBeNull();
  expect(Object.keys(nested?.state ?? {}).toSorted()).toEqual([
    "checkpoint",
    "created_at",
    "metadata",
    "next",
    "parent_checkpoint",
    "tasks",
    "values",
  ]);
});

test("an unknown namespace is refused in an update, and empty in a read", async () => {
  const { thread_id } = await client.threads.create({ graphId: "outer" });
  await client.runs.wait(thread_id, "outer", { input: {} });
  const checkpoint = { checkpoint_ns: "insid" } as never;
  await expect(client.threads.updateState(thread_id, { values: {}, asNode: "before", checkpoint })).rejects.toThrow(
    /422: Error: There is no graph "insid" inside of this one/,
  );
  expect(await client.threads.getState(thread_id, checkpoint)).toMatchObject({ values: {}, next: [], tasks: [] });
});

import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { expect, test } from "vitest";
import * as langgraph from "@langchain/langgraph";
import { AIMessage } from "@langchain/core/messages";
import { ephemeralCheckpointers } from "../../../lib/worker/checkpoints/checkpointer.ts";
import type { LangGraph } from "../../../lib/worker/langgraph.ts";

const { Annotation, BaseCheckpointSaver, Command, DeltaChannel, END, interrupt, MemorySaver, START, StateGraph } =
  langgraph;
const newCheckpointer = ephemeralCheckpointers({ BaseCheckpointSaver } as unknown as LangGraph);
const savers = { MemorySaver: () => new MemorySaver(), "the run's": () => newCheckpointer() };

const Log = Annotation.Root({ log: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }) });
const config = { configurable: { thread_id: "t" } };

/** A graph with two interrupts in one node, and another node beside it. */
const asks = () =>
  new StateGraph(Log)
    .addNode("ask", () => ({ log: [`${interrupt("one")} and ${interrupt("two")}`] }))
    .addNode("beside", () => ({ log: ["beside"] }))
    .addEdge(START, "ask")
    .addEdge(START, "beside");

/** Removes the ids of interrupts, which are made of the ids of checkpoints. */
function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll(/"id":"[0-9a-f]{32}"/g, '"id":""'));
}

test.each(["async", "exit"] as const)("answers are resumed as with LangGraph's own saver (%s)", async (durability) => {
  const results = Object.values(savers).map(async (saver) => {
    const graph = asks().compile({ checkpointer: saver() });
    const options = { ...config, durability };
    const first = await graph.invoke({ log: ["in"] }, options);
    const second = await graph.invoke(new Command({ resume: "a" }), options);
    const third = await graph.invoke(new Command({ resume: "b" }), options);
    return [first, second, third, (await graph.getState(config)).values];
  });
  const [theirs, ours] = await Promise.all(results);
  expect(withoutIds(ours)).toEqual(withoutIds(theirs));
  expect(ours?.[2]).toEqual({ log: ["in", "a and b", "beside"] });
});

/** A graph whose state is stored as differences: it needs the writes of earlier checkpoints. */
const delta = () => {
  const reduce = (state: string[], writes: readonly string[][]) => [...state, ...writes.flat()];
  const State = Annotation.Root({ n: Annotation<number>() });
  const Delta = { ...State.spec, log: () => new DeltaChannel<string[], string[]>(reduce, { snapshotFrequency: 3 }) };
  return new StateGraph(Annotation.Root(Delta as unknown as typeof Log.spec & typeof State.spec))
    .addNode("step", ({ n }) => ({ n: n + 1, log: [`step ${n}`] }))
    .addNode("ask", ({ n }) => ({ log: [`${interrupt(n)}`] }))
    .addEdge(START, "step")
    .addConditionalEdges("step", ({ n }) => (n % 5 === 0 ? "ask" : "step"))
    .addConditionalEdges("ask", ({ n }) => (n < 15 ? "step" : END));
};

test("state that is stored as differences is read whole", async () => {
  const results = Object.values(savers).map(async (saver) => {
    const graph = delta().compile({ checkpointer: saver() });
    await graph.invoke({ n: 0, log: [] }, config);
    for (const resume of ["a", "b", "c"]) await graph.invoke(new Command({ resume }), config);
    return (await graph.getState(config)).values as unknown;
  });
  const [theirs, ours] = await Promise.all(results);
  expect(ours).toEqual(theirs);
  expect(JSON.stringify(ours)).toContain("step 14");
});

test("it keeps one checkpoint per namespace, however long the run", async () => {
  const checkpointer = newCheckpointer();
  const graph = new StateGraph(Log)
    .addNode("again", ({ log }) => ({ log: [String(log.length)] }))
    .addEdge(START, "again")
    .addConditionalEdges("again", ({ log }) => (log.length < 50 ? "again" : END))
    .compile({ checkpointer });
  await graph.invoke({ log: [] }, { ...config, recursionLimit: 100 });
  const kept: CheckpointTuple[] = [];
  for await (const tuple of checkpointer.list(config)) kept.push(tuple);
  expect(kept).toHaveLength(1);
  expect(kept[0]?.checkpoint.channel_values).toMatchObject({ log: expect.arrayContaining(["49"]) });
});

test("it keeps references to objects, and deletes a thread on request", async () => {
  const checkpointer = newCheckpointer();
  const message = new AIMessage("hi");
  const State = Annotation.Root({ message: Annotation<AIMessage>() });
  const graph = new StateGraph(State)
    .addNode("say", () => ({ message }))
    .addEdge(START, "say")
    .compile({ checkpointer });
  await graph.invoke({}, config);
  expect((await checkpointer.getTuple(config))?.checkpoint.channel_values.message).toBe(message);
  await checkpointer.deleteThread("t");
  expect(await checkpointer.getTuple(config)).toBeUndefined();
});

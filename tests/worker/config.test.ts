import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunOrder } from "../../lib/protocol/worker.ts";
import { type StoreHost, storeHost } from "../support/store-host.ts";
import { killWorkers, startWorker, type WorkerProcess } from "../support/worker-process.ts";

let worker: WorkerProcess;
let host: StoreHost;
const graphs = ["seen", "seenFalse", "seenTrue", "seenOwn", "made", "stores", "jumps", "remembers", "side"];
beforeAll(async () => {
  host = await storeHost();
  worker = await startWorker({
    answer: (origin, request) => host.answer(origin, request),
    app: "config",
    graphs: Object.fromEntries(graphs.map((id) => [id, `graphs.js:${id}`])),
  });
});
afterAll(async () => {
  killWorkers();
  await host.close();
});

interface State {
  facts: Record<string, unknown>;
  log: string[];
}

async function lastState(order: Partial<RunOrder> & { graph: string }): Promise<State> {
  const { events, error } = await worker.run({ input: { facts: {}, log: [] }, ...order });
  expect(error).toBeUndefined();
  return events.at(-1)?.data as State;
}

test("a node sees the run's config, context, signal and a checkpointer", async () => {
  const { facts } = await lastState({
    graph: "seen",
    config: {
      configurable: { thread_id: "t", run_id: "r", who: "Ann", __pregel_evil: 1 },
      tags: ["mine"],
      metadata: { m: 1 },
      recursion_limit: 7,
      something_new: true,
    },
    context: { tone: "dry" },
  });
  expect(facts).toEqual({
    configurable: { thread_id: "t", run_id: "r", who: "Ann" },
    context: { tone: "dry" },
    tags: expect.arrayContaining(["mine"]),
    metadata: expect.objectContaining({ m: 1, thread_id: "t", run_id: "r" }),
    recursionLimit: 7,
    checkpointer: "EphemeralCheckpointer",
    evil: null,
    hasSignal: true,
  });
});

test("a run without a thread has its own id as thread id", async () => {
  const { facts } = await lastState({ graph: "seen", run: "run-alone" });
  expect(facts).toMatchObject({ configurable: { thread_id: "run-alone" }, context: null, recursionLimit: 25 });
});

test.each(["seenFalse", "seenTrue", "seenOwn"])(
  "whatever %s was compiled with, the server's checkpointer counts",
  async (graph) => {
    expect((await lastState({ graph })).facts).toMatchObject({ checkpointer: "EphemeralCheckpointer" });
  },
);

test("a factory gets the caller's config without internal keys", async () => {
  const { facts } = await lastState({
    graph: "made",
    run: "run-made",
    config: { configurable: { who: "Ann", __pregel_evil: 1 }, tags: ["mine"], recursion_limit: 9 },
    context: { tone: "dry" },
  });
  expect(facts).toEqual({
    made: {
      runId: "run-made",
      configurable: { thread_id: "run-made", who: "Ann" },
      tags: ["mine"],
      recursionLimit: 9,
      context: { tone: "dry" },
    },
    runtime: ["undefined", "undefined"],
  });
});

test("the store outlives a run, and answers concurrent requests in order", async () => {
  expect((await lastState({ graph: "stores" })).facts).toEqual({ n: 1, found: 1, none: null });
  expect((await lastState({ graph: "stores" })).facts).toEqual({ n: 2, found: 1, none: null });
});

test("a command goes to a node, with an input of its own or the state, and updates", async () => {
  const state = await lastState({ graph: "jumps", command: { update: { log: ["from outside"] }, goto: "b" } });
  expect(state.log).toEqual(["from outside", "b "]);
  const sent = await lastState({ graph: "jumps", command: { goto: [{ node: "b", input: { extra: 1 } }] } });
  expect(sent.log).toEqual(["b 1"]);
});

test("a resume without a thread fails with a reason", async () => {
  const { status, error } = await worker.run({ graph: "jumps", command: { resume: "yes" } });
  expect({ status, error }).toEqual({
    status: "error",
    error: { error: "Error", message: "There is nothing to resume: the run has no thread" },
  });
});

test("null as input without a checkpoint fails with a reason", async () => {
  const { status, error } = await worker.run({ graph: "jumps", input: null });
  expect(status).toBe("error");
  expect(error?.error).toBe("EmptyInputError");
});

test("a stateful subgraph keeps its state within its run, and only there", async () => {
  for (let i = 0; i < 2; i++) {
    expect((await lastState({ graph: "remembers" })).facts).toMatchObject({ log: ["x", "call 1", "x", "call 3"] });
  }
});

test("concurrent runs on one compiled graph are isolated", async () => {
  const crowd = 20;
  const states = await Promise.all(
    Array.from({ length: crowd }, (_, who) => lastState({ graph: "side", config: { configurable: { crowd, who } } })),
  );
  expect(states.map(({ facts }) => facts)).toEqual(Array.from({ length: crowd }, (_, who) => ({ who, saved: null })));
});

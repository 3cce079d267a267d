import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { killWorkers, startWorker, type WorkerProcess } from "../support/worker-process.ts";

let worker: WorkerProcess;
const graphs = ["nested", "steps", "failsBelow", "succeedsLater"];
beforeAll(async () => {
  worker = await startWorker({
    app: "modes",
    graphs: Object.fromEntries(graphs.map((id) => [id, `./graphs.ts:${id}`])),
  });
});
afterAll(killWorkers);

const hello = { messages: [{ role: "user", content: "hello", id: "u1" }] };
const TASK = "[0-9a-f]{8}-[0-9a-f-]{27}";
const names = (events: { event: string }[]) =>
  events.map(({ event }) => event.replaceAll(new RegExp(`:${TASK}`, "g"), ":id"));

describe("tasks", () => {
  test("a start with its input and triggers, a result with what was written", async () => {
    const { events } = await worker.run({ graph: "steps", input: { n: 0 }, modes: ["tasks"] });
    const id = expect.stringMatching(new RegExp(`^${TASK}$`));
    expect(events.slice(0, 2)).toEqual([
      {
        event: "tasks",
        data: {
          id,
          name: "first",
          input: { n: 0, log: [] },
          triggers: ["branch:to:first"],
          interrupts: [],
          metadata: { ls_integration: "langgraph" },
        },
      },
      { event: "tasks", data: { id, name: "first", result: { n: 1, log: ["first"] }, interrupts: [] } },
    ]);
    expect(events).toHaveLength(4);
  });

  test("a task that failed has its error, in the graph and in those around it", async () => {
    const { events, error } = await worker.run({
      graph: "failsBelow",
      input: { n: 0 },
      modes: ["tasks", "debug"],
      subgraphs: true,
    });
    expect(error).toEqual({ error: "RangeError", message: "kaput", source: { file: "graphs.ts", line: 104 } });
    const failed = events.filter(
      ({ event, data }) => event.startsWith("tasks") && JSON.stringify(data).includes("kaput"),
    );
    expect(names(failed)).toEqual(["tasks|below:id", "tasks"]);
    expect(failed[0]?.data).toEqual({ id: expect.any(String), name: "bad", error: "kaput", interrupts: [] });
    const debugged = events.filter(({ event, data }) => event === "debug" && JSON.stringify(data).includes("kaput"));
    expect(debugged).toMatchObject([
      { data: { type: "task_result", step: 1, payload: { name: "below", error: "kaput", interrupts: [] } } },
    ]);
  });
});

describe("a task that is tried again", () => {
  test("has its result, and the error of the attempt before as retried", async () => {
    const { events, status } = await worker.run({ graph: "succeedsLater", input: { n: 0 }, modes: ["tasks"] });
    expect(status).toBe("success");
    expect(events.at(-1)?.data).toEqual({
      id: expect.any(String),
      name: "flaky",
      result: { log: ["flaky"] },
      interrupts: [],
      retried: ["not yet"],
    });
  });
});

describe("checkpoints and debug", () => {
  const configurable = { thread_id: "t", run_id: "r", graph_id: "steps", assistant_id: "a" };
  const checkpoint = (step: number, source: string, next: string[], values: object) => ({
    config: {
      configurable: { ...configurable, checkpoint_ns: "", checkpoint_id: expect.any(String) },
      metadata: { mine: 1, ls_integration: "langgraph", ...configurable },
      recursion_limit: 25,
      tags: [],
    },
    parent_config: expect.anything(),
    values,
    metadata: { source, step, parents: {} },
    next,
    tasks: next.map((name) => ({ id: expect.any(String), name, path: ["__pregel_pull", name], interrupts: [] })),
    checkpoint: { thread_id: "t", checkpoint_ns: "", checkpoint_id: expect.any(String), checkpoint_map: null },
    parent_checkpoint: step < 0 ? null : expect.objectContaining({ thread_id: "t", checkpoint_ns: "" }),
  });
  const all = [
    checkpoint(-1, "input", ["__start__"], { log: [] }),
    checkpoint(0, "loop", ["first"], { n: 0, log: [] }),
    checkpoint(1, "loop", ["second"], { n: 1, log: ["first"] }),
    checkpoint(2, "loop", [], { n: 2, log: ["first", "second"] }),
  ];
  const order = { graph: "steps", input: { n: 0 }, config: { configurable, metadata: { mine: 1 } } };

  test("a checkpoint has no internal keys, and names itself and its parent", async () => {
    const { events } = await worker.run({ ...order, modes: ["checkpoints"] });
    expect(events).toEqual(all.map((data) => ({ event: "checkpoints", data })));
    const ids = events.map(({ data }) => (data as { checkpoint: { checkpoint_id: string } }).checkpoint.checkpoint_id);
    const parents = events.map(
      ({ data }) => (data as { parent_checkpoint: { checkpoint_id: string } | null }).parent_checkpoint,
    );
    expect(parents.slice(1).map((parent) => parent?.checkpoint_id)).toEqual(ids.slice(0, -1));
    expect(ids).toEqual(ids.toSorted());
  });

  test("debug wraps checkpoints and tasks with step, type and time", async () => {
    const { events } = await worker.run({ ...order, modes: ["debug"] });
    const payloads = events.map(
      ({ data }) => data as { step: number; type: string; timestamp: string; payload: unknown },
    );
    expect(payloads.map(({ step, type }) => `${step} ${type}`)).toEqual([
      "-1 checkpoint",
      "0 checkpoint",
      "1 task",
      "1 task_result",
      "1 checkpoint",
      "2 task",
      "2 task_result",
      "2 checkpoint",
    ]);
    expect(payloads.filter(({ type }) => type === "checkpoint").map(({ payload }) => payload)).toEqual(all);
    for (const { timestamp } of payloads) expect(new Date(timestamp).toISOString()).toBe(timestamp);
  });

  test("a subgraph's checkpoints are its own, and the task around it points at them", async () => {
    const { events } = await worker.run({ graph: "nested", input: hello, modes: ["checkpoints"], subgraphs: true });
    expect(new Set(names(events))).toEqual(new Set(["checkpoints", "checkpoints|sub:id"]));
    const around = events.find(({ data }) => (data as { next: string[] }).next[0] === "sub");
    expect(around?.data).toMatchObject({
      tasks: [{ name: "sub", checkpoint: { checkpoint_ns: expect.stringMatching(/^sub:/) } }],
    });
    expect(JSON.stringify(events)).not.toMatch(/"(?:__pregel_\w+|callbacks)":/);
  });

  test("checkpoints are sent only if they are requested", async () => {
    const { events } = await worker.run({
      graph: "nested",
      input: hello,
      modes: ["values", "events"],
      subgraphs: true,
    });
    expect(new Set(names(events))).toEqual(new Set(["values", "values|sub:id", "events"]));
  });
});

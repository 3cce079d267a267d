import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isObject } from "../../lib/protocol/json.ts";
import type { RunOrder } from "../../lib/protocol/worker.ts";
import { startWorkerWithDatabase, type WorkerWithDatabase } from "../support/worker-with-database.ts";

const graphs = ["throws", "below", "functional", "conflict", "endless", "floods"];
let worker: WorkerWithDatabase;
beforeAll(async () => {
  worker = await startWorkerWithDatabase("failures", Object.fromEntries(graphs.map((id) => [id, `./graphs.js:${id}`])));
});
afterAll(() => worker.stop());

const modes: RunOrder["modes"] = ["values", "updates", "custom", "tasks", "checkpoints", "debug"];
let threads = 0;

const inThread = (): Pick<RunOrder, "config"> => ({
  config: { recursion_limit: 5, configurable: { thread_id: `thread-${++threads}` } },
});

/** Returns the events of a run that fails, without what differs from run to run. */
async function eventsOf(graph: string, order: Partial<RunOrder>): Promise<unknown[]> {
  const { status, parsedEvents } = await worker.run({ graph, modes, subgraphs: true, ...inThread(), ...order });
  expect(status).toBe("error");
  return parsedEvents.map(({ event, data }) => {
    const name = event.replace(/:[0-9a-f-]{36}/g, ":id");
    if (["values", "updates", "custom"].includes(name.split("|", 1)[0] ?? "")) return [name, withoutSlow(data)];
    return isObject(data) && isObject(data.payload) ? [name, data.type, data.payload.name] : [name];
  });
}

function withoutSlow(data: unknown): unknown {
  if (!isObject(data)) return data;
  const { slow: _, ...rest } = data;
  return rest;
}

const of = (events: unknown[], mode: string): unknown[] =>
  events.filter((event) => Array.isArray(event) && event[0] === mode).map((event) => (event as unknown[])[1]);

describe.each([
  ["a run without a thread", { durable: false }],
  ["async", { durability: "async" }],
  ["sync", { durability: "sync" }],
  ["exit", { durability: "exit" }],
] as const)("everything that a graph streams before it fails is an event (%s)", (_name, order) => {
  test.each(["throws", "below", "functional"])("%s", async (graph) => {
    const slow = await eventsOf(graph, { ...order, input: { n: 0, slow: true } });
    expect(slow.length).toBeGreaterThan(2);
    expect(await eventsOf(graph, { ...order, input: { n: 0, slow: false } })).toEqual(slow);
  });

  test("a conflict of two nodes", async () => {
    const events = await eventsOf("conflict", { ...order, input: { n: 0 } });
    expect(of(events, "updates")).toEqual([{ works: { n: 1 } }, { one: { n: 2 } }, { two: { n: 3 } }]);
  });

  test("more than the channel takes at once", async () => {
    const { status, parsedEvents } = await worker.run({
      graph: "floods",
      input: { n: 0 },
      modes: ["custom"],
      ...inThread(),
      ...order,
    });
    expect(status).toBe("error");
    expect(parsedEvents.map(({ data }) => (data as { n: number }).n)).toEqual(
      Array.from({ length: 2_000 }, (_, n) => n),
    );
  });

  test("the limit of steps", async () => {
    const events = await eventsOf("endless", { ...order, input: { n: 0 } });
    expect(of(events, "updates")).toEqual([1, 2, 3, 4, 5].map((n) => ({ again: { n } })));
    expect(of(events, "values")).toHaveLength(6);
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { killWorkers, startWorker, type WorkerProcess } from "../support/worker-process.ts";

let worker: WorkerProcess;
const graphs = ["steps", "asks", "asksTwice", "asksBelow"];
beforeAll(async () => {
  worker = await startWorker({
    app: "modes",
    graphs: Object.fromEntries(graphs.map((id) => [id, `./graphs.ts:${id}`])),
  });
});
afterAll(killWorkers);

const id = expect.stringMatching(/^[0-9a-f]{32}$/);
const interrupt = { __interrupt__: [{ id, value: { q: "ok?" } }] };
const input = { n: 0 };

test("interrupt() appears in updates, and in values together with the state", async () => {
  const { events, status } = await worker.run({ graph: "asks", input, modes: ["updates", "values"] });
  expect(status).toBe("success");
  expect(events).toEqual([
    { event: "values", data: { n: 0, log: [] } },
    { event: "updates", data: interrupt },
    { event: "values", data: { n: 0, log: [], ...interrupt } },
  ]);
});

test("each mode reports it alone, too", async () => {
  expect((await worker.run({ graph: "asks", input, modes: ["updates"] })).events).toEqual([
    { event: "updates", data: interrupt },
  ]);
  const { events } = await worker.run({ graph: "asks", input, modes: ["values"] });
  expect(events.at(-1)).toEqual({ event: "values", data: { n: 0, log: [], ...interrupt } });
});

test("two at once are both in the last values, with what the other tasks wrote", async () => {
  const { events } = await worker.run({ graph: "asksTwice", input, modes: ["values"] });
  const one = { id, value: 1 };
  const two = { id, value: 2 };
  expect(events.map(({ data }) => data)).toEqual([
    { n: 0, log: [] },
    { n: 0, log: [], __interrupt__: [one] },
    { n: 0, log: [], __interrupt__: [one, two] },
    { n: 0, log: ["worked"], __interrupt__: [one, two] },
  ]);
});

test("one in a subgraph appears there, and at the root with the root's state", async () => {
  const { events } = await worker.run({ graph: "asksBelow", input, modes: ["updates", "values"], subgraphs: true });
  const sent = events.map(({ event, data }) => [event.replace(/:.*/, ""), data]);
  expect(sent).toEqual([
    ["values", { n: 0, log: [] }],
    ["values|below", { n: 0, log: [] }],
    ["updates|below", interrupt],
    ["values|below", { n: 0, log: [], ...interrupt }],
    ["updates", interrupt],
    ["values", { n: 0, log: [], ...interrupt }],
  ]);
});

test("its task is reported as waiting, not as failed", async () => {
  const { events } = await worker.run({ graph: "asks", input, modes: ["tasks"] });
  expect(events[1]?.data).toEqual({
    id: expect.any(String),
    name: "ask",
    result: {},
    interrupts: interrupt.__interrupt__,
  });
});

test.each([
  [{ interruptBefore: ["second"] }, 1],
  [{ interruptAfter: ["first"] }, 1],
  [{ interruptBefore: "*" as const }, 0],
  [{ interruptAfter: "*" as const }, 1],
])("a breakpoint %o is an empty interrupt in both modes", async (breakpoint, steps) => {
  const { events, status } = await worker.run({ graph: "steps", input, modes: ["updates", "values"], ...breakpoint });
  expect(status).toBe("success");
  expect(events.slice(-2)).toEqual([
    { event: "updates", data: { __interrupt__: [] } },
    { event: "values", data: { __interrupt__: [] } },
  ]);
  expect(events.filter(({ event }) => event === "updates")).toHaveLength(steps + 1);
});

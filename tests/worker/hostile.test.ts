import { afterAll, beforeAll, expect, test } from "vitest";
import { killWorkers, startWorker, type WorkerProcess } from "../support/worker-process.ts";

let worker: WorkerProcess;
const graphs = ["graph", "ownClass", "text", "object", "file", "oddError"];
beforeAll(async () => {
  worker = await startWorker({
    app: "hostile",
    graphs: Object.fromEntries(graphs.map((id) => [id, `graphs.js:${id}`])),
  });
});
afterAll(killWorkers);

const SENSIBLE = {
  bigint: "12345678901234567890",
  circular: { name: "loop", self: "[Circular]" },
  error: { name: "RangeError", message: "bad" },
  map: { a: [1, 2] },
  keys: [[{ k: 1 }, 1]],
  date: "1970-01-01T00:00:00.000Z",
  noDate: null,
  nan: null,
  pattern: "/a+/g",
  bytes: "AQID",
  list: ["1", null, null],
  throwsToJson: { kept: 1 },
  throwsOnRead: "[Unreadable]",
  link: "http://localhost/a",
  messages: [{ content: "hi", id: "m", additional_kwargs: {}, response_metadata: {}, type: "human" }],
  text: 'line\none,"data":x\u2028\ud800',
  ["__proto__"]: 1,
};

test("values without a JSON form get a sensible one, and the run succeeds", async () => {
  const { events, status, ends } = await worker.run({ graph: "graph", input: { n: 1 }, modes: ["custom", "values"] });
  expect({ status, ends }).toEqual({ status: "success", ends: 1 });
  expect(events.map(({ event }) => event)).toEqual(["values", "custom", "custom", "custom", "values"]);
  expect(events[1]?.data).toEqual(SENSIBLE);
  expect(events[2]?.data).toBeNull();
  expect(JSON.stringify(events[3]?.data)).toContain('"[Too deep]"');
  expect(events[4]?.data).toEqual({ n: 1, values: SENSIBLE });
});

test.each([
  ["ownClass", { error: "NotFoundError", message: "nothing" }],
  ["file", { error: "Error", message: "cannot read data.txt" }],
  ["oddError", { error: "Error", message: '{"a":"1"}' }],
])("%s fails with its class and message", async (graph, error) => {
  expect(await worker.run({ graph, input: { n: 1 } })).toMatchObject({ status: "error", error, ends: 1 });
});

test.each(["text", "object"])("a run that throws %s instead of an error ends as an error", async (graph) => {
  const { status, error, ends } = await worker.run({ graph, input: { n: 1 } });
  expect({ status, ends }).toEqual({ status: "error", ends: 1 });
  expect(error).toEqual({ error: expect.any(String), message: expect.any(String) });
});

test("the stack of a failing run is in the server log, with the run's id", async () => {
  await worker.run({ run: "run-to-find", graph: "ownClass", input: { n: 1 } });
  await expect
    .poll(() => worker.output())
    .toMatch(/Run run-to-find of graph ownClass failed: NotFoundError: nothing\n\s+at .*graphs\.js:\d+:\d+/);
});

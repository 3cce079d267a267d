import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { logLine } from "../../lib/worker/logging.ts";
import { killWorkers, startWorker } from "../support/worker-process.ts";

afterEach(killWorkers);

test("a graph that uses the SDK's logger loads, and its lines name their level and their run", async () => {
  const worker = await startWorker({ app: "logging", graphs: { logs: "graphs.js:logs" } });
  expect(worker.ready.graphs).toEqual([{ graph: "logs" }]);
  await expect.poll(() => worker.output()).toContain("[info] the module loads\n");
  const runs = ["r1", "r2"].map((run) => worker.run({ run, graph: "logs", input: { order: run } }));
  for (const { error } of await Promise.all(runs)) expect(error).toBeUndefined();
  for (const run of ["r1", "r2"]) {
    await expect.poll(() => worker.output()).toContain(`[debug] told ${run} after the end run_id=${run}\n`);
    await expect.poll(() => worker.output()).toContain(`[info] order arrived {"order":"${run}"} run_id=${run}\n`);
    await expect.poll(() => worker.output()).toContain(`[error] no carrier {"order":"${run}"} run_id=${run}\n`);
    await expect
      .poll(() => worker.output())
      .toMatch(new RegExp(`\\[warn\\] out of stock run_id=${run}\\nError: out of stock\\n +at .*graphs\\.js:12`));
  }
});

test("whatever is logged begins with its level and ends with its run", () => {
  const value = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
  });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), (all) => {
      expect(logLine("info", all, "r")).toMatch(/^\[info\](.|\n)* run_id=r$/);
    }),
  );
});

test.each([
  [["plain"], "[info] plain"],
  [["%s of %d", "one", 2], "[info] one of 2"],
  [["with", { a: 1 }, { b: [2] }], '[info] with {"a":1,"b":[2]}'],
  [["with", { message: "kept" }], '[info] with {"message":"kept"}'],
  [[{ message: "alone", a: 1 }], '[info] alone {"a":1}'],
  [[{ a: 1 }], '[info] {"a":1}'],
  [[undefined], "[info]"],
])("%j is logged as %s", (values, line) => {
  expect(logLine("info", values)).toBe(line);
});

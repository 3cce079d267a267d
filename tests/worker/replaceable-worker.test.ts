import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { SupervisedWorker } from "../../lib/drivers/workers/process.ts";
import { ReplaceableWorker, settled } from "../../lib/drivers/workers/replaceable-worker.ts";
import type { RunEnding } from "../../lib/engine/ports/run-end.ts";

const MAIN = join(import.meta.dirname, "../../lib/worker/main.ts");
const folder = join(import.meta.dirname, "apps", "life");
const living: { stop(graceMs: number): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(living.splice(0).map((worker) => worker.stop(0)));
});

function newProcess(): SupervisedWorker {
  const graphs = ["polite", "stubborn", "quick"].map((id): [string, { path: string; description: undefined }] => [
    id,
    { path: `graphs.js:${id}`, description: undefined },
  ]);
  const worker = new SupervisedWorker({
    main: MAIN,
    folder,
    env: { ...process.env, LANGCHAIN_CALLBACKS_BACKGROUND: "false" },
    graphs: Object.fromEntries(graphs),
    memoryMb: 256,
    now: Date.now,
    answer: () => Promise.resolve(null),
    change: () => Promise.resolve(),
    echo: () => undefined,
  });
  living.push(worker);
  return worker;
}

async function readyProcess(): Promise<SupervisedWorker> {
  const worker = newProcess();
  await settled(worker);
  expect(worker.state().status).toBe("ready");
  return worker;
}

let runs = 0;
function run(worker: ReplaceableWorker, graph: string, input: object, id = `r${runs++}`): Promise<RunEnding> {
  const order = { run: id, token: 1, graph, input, config: {}, modes: ["values" as const], subgraphs: false };
  return worker.run(order, () => Promise.resolve());
}

const pidOf = (worker: ReplaceableWorker): number | undefined => {
  const state = worker.state();
  return state.status === "ready" ? state.pid : undefined;
};

describe("a process that replaces another", () => {
  test("loses no current run, and gets all later ones", async () => {
    const worker = new ReplaceableWorker(await readyProcess());
    const before = pidOf(worker);
    const underway = [run(worker, "stubborn", { ms: 600 }), run(worker, "polite", { ms: 600 })];
    const next = await readyProcess();
    const gone = worker.replace(next, { graceMs: 10_000 });
    expect(pidOf(worker)).not.toBe(before);
    const after = await run(worker, "quick", {});
    expect(after.status).toBe("success");
    await gone;
    expect((await Promise.all(underway)).map((one) => one.status)).toEqual(["success", "success"]);
    expect(isAlive(before ?? 0)).toBe(false);
  });

  test("takes over under load without one refusal", async () => {
    const worker = new ReplaceableWorker(await readyProcess());
    const ends: RunEnding[] = [];
    let loading = true;
    // Each load waits for its run, so that a slow machine gets no more runs than it can finish before a process ends.
    const loads = ["quick", "polite", "quick", "polite"].map(async (graph) => {
      while (loading) ends.push(await run(worker, graph, { ms: 5 }));
    });
    for (let n = 0; n < 2; n++) await worker.replace(await readyProcess(), { graceMs: 10_000 });
    loading = false;
    await Promise.all(loads);
    expect(ends.length).toBeGreaterThan(20);
    expect(ends.filter((one) => one.status !== "success")).toEqual([]);
  });

  test("waits for current runs only until a deadline; then they are lost, and can be resumed elsewhere", async () => {
    const worker = new ReplaceableWorker(await readyProcess());
    const underway = run(worker, "stubborn", { ms: 60_000 });
    await worker.replace(await readyProcess(), { graceMs: 50 });
    expect(await underway).toMatchObject({ status: "error", lost: "stopped" });
    expect((await run(worker, "quick", {})).status).toBe("success");
  });

  test("that is stopped twice at once ends for both callers", async () => {
    const worker = await readyProcess();
    await Promise.all([worker.stop(0), worker.stop(60_000)]);
    expect(worker.state()).toMatchObject({ status: "stopped" });
  });

  test("that comes when the server has stopped is ended, and not left alive", async () => {
    const worker = new ReplaceableWorker(await readyProcess());
    await worker.stop(0);
    const next = newProcess();
    await worker.replace(next, { graceMs: 0 });
    expect(next.state()).toMatchObject({ status: "stopped" });
  });

  test("can cancel a run of the previous process", async () => {
    const worker = new ReplaceableWorker(await readyProcess());
    const underway = run(worker, "polite", { ms: 60_000 }, "old");
    const gone = worker.replace(await readyProcess(), { graceMs: 30_000 });
    expect(worker.cancel("old")).toBe(true);
    expect((await underway).status).toBe("interrupted");
    await gone;
    expect(worker.cancel("old")).toBe(false);
  });
});

describe("an idle process", () => {
  test("ends, and the next call waits for a new one", async () => {
    const first = await readyProcess();
    let changes: string[] = [];
    const worker = new ReplaceableWorker(first, { afterMs: 300, start: newProcess });
    worker.onChange(() => changes.push(worker.state().status));
    const { pid } = first.state() as { pid: number };
    expect((await run(worker, "polite", { ms: 400 })).status).toBe("success");
    expect(worker.state().status).toBe("ready");
    await expect.poll(() => worker.state().status, { timeout: 5_000 }).toBe("asleep");
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
    expect(worker.graphs().map((one) => one.graph)).toEqual(["polite", "stubborn", "quick"]);
    changes = [];
    const both = await Promise.all([run(worker, "quick", {}), run(worker, "quick", {})]);
    expect(both.map((one) => one.status)).toEqual(["success", "success"]);
    expect(changes).toContain("ready");
    expect(living).toHaveLength(2);
  });

  test("that sleeps is replaced like any other", async () => {
    const worker = new ReplaceableWorker(await readyProcess(), { afterMs: 50, start: newProcess });
    await expect.poll(() => worker.state().status, { timeout: 5_000 }).toBe("asleep");
    await worker.replace(await readyProcess(), { graceMs: 10_000 });
    expect(worker.state().status).toBe("ready");
    expect((await run(worker, "quick", {})).status).toBe("success");
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

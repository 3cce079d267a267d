import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { residentOf } from "../../lib/drivers/workers/resident.ts";
import { isAlive } from "../support/process-tree.ts";
import { apps, killWorkers, startWorker, type WorkerProcess } from "../support/worker-process.ts";

afterEach(killWorkers);

const names = ["polite", "stubborn", "quick", "aborts", "forgets", "explodes", "flood", "spins", "tokens"];
const start = () =>
  startWorker({ app: "life", graphs: Object.fromEntries(names.map((id) => [id, `graphs.js:${id}`])) });

/** Waits until this many stubborn nodes have ended, and all messages of the worker have arrived. */
async function stubbornEnded(worker: WorkerProcess, nodes: number): Promise<void> {
  const ended = () => worker.output().split("stubborn to the end").length - 1;
  await expect.poll(ended, { timeout: 20_000 }).toBeGreaterThanOrEqual(nodes);
  worker.send({ type: "ping", id: nodes });
  await worker.line("pong");
}

/** Starts a run without waiting for its end. */
function begin(
  worker: WorkerProcess,
  run: string,
  graph: string,
  input: object,
  modes: "custom"[] | "values"[] = ["values"],
) {
  const ended = worker.run({ run, graph, input, modes });
  ended.catch(() => {});
  return ended;
}

describe("cancel", () => {
  test("ends a run as interrupted, and aborts the node's signal", async () => {
    const worker = await start();
    const run = begin(worker, "r1", "aborts", {}, ["custom"]);
    await worker.line("event", ({ data }) => data === '"listening"');
    worker.send({ type: "cancel", run: "r1" });
    expect(await run).toMatchObject({ status: "interrupted", error: undefined, ends: 1 });
    await expect.poll(() => worker.output()).toContain("heard the signal");
    expect(worker.output()).not.toContain("failed");
  });

  test("a node that ignores the signal delays no end, and its later output is dropped", async () => {
    const worker = await start();
    const run = begin(worker, "r1", "stubborn", { ms: 500 }, ["custom"]);
    await worker.line("event", ({ data }) => data === '"before"');
    worker.send({ type: "cancel", run: "r1" });
    const { status, events } = await run;
    expect(status).toBe("interrupted");
    await stubbornEnded(worker, 1);
    const later = worker.outcome("r1");
    expect(later).toEqual({ status: "interrupted", error: undefined, ends: 1, events });
    expect(worker.lines.slice(-2).map(({ type }) => type)).toEqual(["end", "pong"]);
  });

  test("a run that has ended, or never was, is not cancelled", async () => {
    const worker = await start();
    expect((await worker.run({ run: "r1", graph: "quick", input: {} })).status).toBe("success");
    worker.send({ type: "cancel", run: "r1" });
    worker.send({ type: "cancel", run: "nobody" });
    expect(await worker.run({ graph: "quick", input: {} })).toMatchObject({ status: "success", ends: 1 });
    expect(worker.outcome("r1").ends).toBe(1);
  });
});

test("each of 50 randomly cancelled runs sends exactly one end, as its last line", async () => {
  const worker = await start();
  const graphs = ["polite", "stubborn", "quick", "aborts"] as const;
  const runs = Array.from({ length: 50 }, (_, i) => ({ run: `r${i}`, graph: graphs[i % graphs.length] ?? "quick" }));
  const ended = runs.map(async ({ run, graph }) => {
    const end = worker.run({ run, graph, input: { ms: Math.random() * 100 }, modes: ["values", "custom"] });
    await sleep(Math.random() * 100);
    if (graph === "aborts" || Math.random() < 0.5) worker.send({ type: "cancel", run });
    if (Math.random() < 0.2) worker.send({ type: "cancel", run });
    return end;
  });
  const outcomes = await Promise.all(ended);
  expect(outcomes.every(({ status }) => status === "success" || status === "interrupted")).toBe(true);
  const begun = worker.lines.filter((line) => line.type === "event" && line.data === '"before"');
  await stubbornEnded(worker, begun.length);
  for (const { run } of runs) {
    const own = worker.lines.filter((line) => "run" in line && line.run === run);
    expect(own.filter(({ type }) => type === "end")).toHaveLength(1);
    expect(own.at(-1)?.type).toBe("end");
    expect(own.every((line) => "token" in line && line.token === 1)).toBe(true);
  }
  expect((await worker.run({ graph: "quick", input: { n: 1 } })).events.at(-1)?.data).toEqual({ n: 2 });
});

test("ping is answered", async () => {
  const worker = await start();
  worker.send({ type: "ping", id: 7 });
  expect(await worker.line("pong")).toEqual({ type: "pong", id: 7 });
});

describe("shutdown", () => {
  test("lets runs finish, accepts no new ones and exits with 0", async () => {
    const worker = await start();
    const run = begin(worker, "r1", "polite", { ms: 300 });
    await sleep(30);
    worker.send({ type: "shutdown" });
    expect(await worker.run({ run: "late", graph: "quick", input: {} })).toMatchObject({
      status: "error",
      error: { error: "GraphLoadError", message: "The worker is shutting down" },
    });
    expect(await run).toMatchObject({ status: "success", events: [{}, { data: { n: 1 } }] });
    expect(await worker.exited).toEqual({ code: 0, signal: null });
  });

  test("all messages arrive before the exit", async () => {
    const worker = await start();
    const run = begin(worker, "r1", "flood", { n: 5_000 }, ["custom"]);
    worker.send({ type: "shutdown" });
    const { events, status } = await run;
    expect(status).toBe("success");
    expect(events).toHaveLength(5_000);
    expect(await worker.exited).toEqual({ code: 0, signal: null });
  });
});

describe("the host is gone", () => {
  test("a closed channel ends the process at once, whatever runs", async () => {
    const worker = await start();
    begin(worker, "r1", "stubborn", { ms: 60_000 }).catch(() => {});
    begin(worker, "r2", "aborts", {}, ["custom"]).catch(() => {});
    await worker.line("event", ({ data }) => data === '"listening"');
    const since = performance.now();
    worker.socket.destroy();
    expect((await worker.exited).code).toBe(0);
    expect(performance.now() - since).toBeLessThan(3_000);
    await expect.poll(() => worker.output()).toContain("heard the signal");
  });

  test("a graph in an endless loop does not outlive its host, nor do its children", async () => {
    const lib = fileURLToPath(new URL("../../lib", import.meta.url));
    const script = `
      const { SupervisedWorker } = await import(${JSON.stringify(`${lib}/drivers/workers/process.ts`)});
      const graphs = { spins: { path: "graphs.js:spins" } };
      const worker = new SupervisedWorker({
        main: ${JSON.stringify(`${lib}/worker/main.ts`)}, folder: ${JSON.stringify(join(apps, "life"))}, env: process.env, graphs,
        memoryMb: 256, now: Date.now, answer: () => Promise.resolve(null),
        echo: ({ text }) => /^(spinning|child)/.test(text) && console.log(text, worker.state().pid),
      });
      worker.onChange(() => {
        if (worker.state().status !== "ready") return;
        const order = { run: "r", token: 1, graph: "spins", input: {}, config: {}, modes: ["values"], subgraphs: false };
        void worker.run(order, () => Promise.resolve());
      });
    `;
    const host = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    host.stdout.on("data", (data: Buffer) => (output += data.toString()));
    await expect.poll(() => output, { timeout: 30_000 }).toMatch(/spinning \d+/);
    const pids = (/child (\d+)[^]*spinning (\d+)/.exec(output) ?? []).slice(1).map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    host.kill("SIGKILL");
    await expect.poll(() => pids.filter(isAlive), { timeout: 10_000, interval: 100 }).toEqual([]);
  });
});

describe("unhandled errors", () => {
  test("an unhandled rejection is logged, and the process goes on", async () => {
    const worker = await start();
    expect((await worker.run({ graph: "forgets", input: {} })).status).toBe("success");
    await expect
      .poll(() => worker.output())
      .toMatch(/Unhandled rejection in the application: TypeError: nobody waits for me\n\s+at /);
    expect((await worker.run({ graph: "quick", input: {} })).status).toBe("success");
  });

  test("an uncaught exception is logged, and the process ends with 1", async () => {
    const worker = await start();
    begin(worker, "r1", "explodes", {}).catch(() => {});
    expect(await worker.exited).toEqual({ code: 1, signal: null });
    await expect
      .poll(() => worker.output())
      .toMatch(/Uncaught exception in the application: TypeError: nobody catches me\n\s+at /);
  });

  test("Ctrl-C is left to the host", async () => {
    const worker = await start();
    worker.child.kill("SIGINT");
    expect((await worker.run({ graph: "quick", input: {} })).status).toBe("success");
  });
});

describe("a host that reads slowly", () => {
  const TOKENS = 30_000;
  const text = Array.from({ length: TOKENS }, (_, i) => `${i} `.padEnd(200, "~")).join("");

  /** Lets a model reply while the host reads nothing; returns the events that arrive once it reads again. */
  async function eventsAfterPause(mode: "messages" | "messages-tuple") {
    const worker = await start();
    worker.socket.pause();
    const run = worker.run({ graph: "tokens", input: { n: TOKENS }, modes: [mode] });
    await expect.poll(worker.output, { timeout: 15_000 }).toContain("said it all");
    worker.socket.resume();
    const { events, status } = await run;
    expect(status).toBe("success");
    expect(await residentOf(worker.child.pid ?? 0)).toBeLessThan(500_000_000);
    return events;
  }

  test("gets all of the text, in fewer and larger pieces", async () => {
    const events = await eventsAfterPause("messages-tuple");
    const pieces = events.map(({ data }) => (data as [{ content: string }])[0].content);
    expect(pieces.join("")).toBe(text);
    expect(pieces.length).toBeLessThan(TOKENS / 10);
  });

  test("gets the text so far less often, and at last all of it", async () => {
    const partials = (await eventsAfterPause("messages")).filter(({ event }) => event === "messages/partial");
    expect(partials.at(-1)?.data).toMatchObject([{ content: text }]);
    expect(partials.length).toBeLessThan(TOKENS / 10);
  });
});

test("a change that the host refuses after the end of its run fails no later run", async () => {
  const answer = () => Promise.resolve(null);
  const worker = await startWorker({ app: "threads", graphs: { chat: "graphs.js:chat" }, answer });
  const input = { messages: [{ role: "user", content: "hi" }] };
  const order = { run: "r1", token: 1, graph: "chat", input, durable: true, durability: "async" } as const;
  const config = { configurable: { thread_id: "t" } };
  for (let time = 0; time < 2; time++) {
    worker.lines.length = 0;
    expect(await worker.run({ ...order, config })).toMatchObject({ status: "success", error: undefined });
    worker.send({ type: "refused", run: "r1", token: 1, error: { error: "HostError", message: "too late" } });
  }
});

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { killWorkers, startWorker, type WorkerProcess } from "../support/worker-process.ts";

afterAll(killWorkers);

const MAIN = new URL("../../lib/worker/main.ts", import.meta.url).pathname;
const NODE = new URL("../../node_modules/.bin/node", import.meta.url).pathname;

function residentMb({ child }: WorkerProcess): number {
  const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
  return Number(kb) / 1024;
}

test("an idle worker returns memory to the system, and then runs as before", async () => {
  const start = [NODE, "--expose-gc", MAIN] as const;
  const worker = await startWorker({ app: "life", graphs: { life: "graphs.js:quick" }, start });
  const loaded = residentMb(worker);
  while (residentMb(worker) > loaded * 0.85) await sleep(50);
  expect(await worker.run({ run: "r1", graph: "life", input: {}, modes: ["values"] })).toMatchObject({
    status: "success",
  });
  await worker.kill();
}, 60_000);

test("a worker writes its compile cache when it is idle, never while a run is in progress", async () => {
  const cache = mkdtempSync(join(tmpdir(), "graphlib-cache-"));
  const files = (): number =>
    readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
  const worker = await startWorker({
    app: "life",
    graphs: { life: "graphs.js:polite" },
    env: { NODE_COMPILE_CACHE: cache },
  });
  const run = worker.run({ run: "long", graph: "life", input: { ms: 60_000 }, modes: ["values"] });
  // Longer than the time after which an idle worker cleans up.
  await sleep(5_000);
  expect(files()).toBe(0);
  worker.send({ type: "cancel", run: "long" });
  await run;
  while (files() === 0) await sleep(50);
  await worker.kill();
  rmSync(cache, { recursive: true });
}, 60_000);

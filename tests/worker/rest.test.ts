import { readFileSync } from "node:fs";
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

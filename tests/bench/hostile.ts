/** Measures how long a deployment takes to answer while another one attacks the server. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { call, untilState } from "../support/control.ts";
import { startCalls } from "../support/background-calls.ts";
import type { TestServer } from "../support/server.ts";

const apps = join(import.meta.dirname, "../security/apps");
const ALONE_MS = 5_000;
const ATTACKS = ["questions", "endless", "print", "disk", "heap", "loop", "connections", "calls"];

function quantiles(durations: readonly number[]): string {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN).toFixed(1);
  return `p50 ${at(0.5).padStart(7)}  p99 ${at(0.99).padStart(7)}  slowest ${at(1).padStart(7)} ms of ${sorted.length} answers`;
}

async function during(server: TestServer, what: string, act: () => Promise<unknown>): Promise<void> {
  const calls = startCalls(server.url, { deployment: "quiet" });
  await act();
  const { durations, unexpected } = await calls.stop();
  const odd = unexpected.length === 0 ? "" : `, ${unexpected.length} not as expected: ${unexpected[0]}`;
  console.log(`neighbour of "${what}"`.padEnd(28), quantiles(durations) + odd);
}

export async function hostileNeighbour(server: TestServer): Promise<void> {
  for (const [name, settings] of [["quiet"], ["hostile", { memory_mb: 128 }]] as const) {
    await call(server, "POST", "/deployments", {
      name,
      source: { type: "folder", path: join(apps, name) },
      settings,
    });
    await untilState(server, name, ["live"]);
  }
  await during(server, "nothing", () => pause(ALONE_MS));
  for (const attack of ATTACKS) {
    const input = { attack, paths: [], port: Number(new URL(server.url).port) };
    const body = JSON.stringify({ assistant_id: "attack", input });
    const headers = { "content-type": "application/json" };
    await during(server, attack, () =>
      fetch(`${server.url}/agents/hostile/runs/wait`, { method: "POST", headers, body }).then((answer) =>
        answer.text(),
      ),
    );
    for (const what of ["stop", "start"]) await call(server, "POST", `/deployments/hostile/${what}`, {});
    while (!(await fetch(`${server.url}/agents/hostile/ok`)).ok) await pause(100);
  }
}

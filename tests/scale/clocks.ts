/** Servers whose clocks are five minutes apart from each other. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { attemptsUsed, faultsOf } from "./checks.ts";
import { startCluster } from "./cluster.ts";
import { clientOf, startLoad } from "./load.ts";
import { type Report, seconds } from "./report.ts";

const FIVE_MINUTES_MS = 300_000;
const ROLES = ["api", "api", "run", "run", "run"];
/** Both `api` servers differ by ten minutes, and so do two of those that execute runs. */
const AHEAD = [1, -1, 1, -1, 0];
const DELAY_SECONDS = 3;
/** The longest time from the moment at which a run is due until it has ended, in ms. */
const DUE_MS = 3_000;

export async function proveClocks(programs: string, redis: boolean, report: Report): Promise<void> {
  const clock = resolve(import.meta.dirname, "shifted-clock.mjs");
  const envOf = (n: number) => ({
    NODE_OPTIONS: `--import=${clock}`,
    CLOCK_MS: String((AHEAD[n] ?? 0) * FIVE_MINUTES_MS),
  });
  const cluster = await startCluster({ programs, roles: ROLES, app: "api/apps/durable", envOf, redis });
  try {
    const apart = timeIn(envOf(0)) - timeIn(envOf(1));
    const load = await startLoad(cluster, { runs: 300, threads: 30 });
    await load.ended;
    const faults = await faultsOf(cluster, load);
    if (apart < FIVE_MINUTES_MS) faults.push(`the clocks were ${seconds(apart)} apart`);
    const used = await attemptsUsed(cluster);
    if (used > 0) faults.push(`${used} runs used an attempt`);
    const waited = await Promise.all(cluster.members.slice(0, 2).map(({ url }) => delayed(url)));
    for (const ms of waited)
      if (ms < DELAY_SECONDS * 1000 || ms > DELAY_SECONDS * 1000 + DUE_MS)
        faults.push(`a run that was due after ${DELAY_SECONDS} s had ended after ${seconds(ms)}`);
    const figures = `300 runs; due after ${DELAY_SECONDS} s, ended after ${waited.map(seconds).join(" and ")}`;
    report("clocks five minutes apart", faults, figures);
  } finally {
    await cluster.close();
  }
}

/** Returns the time in a process with these variables, in ms since 1970. Servers tell that of the database alone. */
function timeIn(env: Record<string, string>): number {
  const options = { env: { ...process.env, ...env }, encoding: "utf8" } as const;
  return Number(execFileSync(process.execPath, ["--print", "new Date().getTime()"], options));
}

/** Returns how long a run took that starts later. */
async function delayed(url: string): Promise<number> {
  const began = performance.now();
  await clientOf(url).runs.wait(null, "count", { input: { ms: 20 }, afterSeconds: DELAY_SECONDS });
  return performance.now() - began;
}

/** Servers that are replaced one after the other while requests come. */
import { setTimeout as pause } from "node:timers/promises";
import { quantile } from "../bench/measure.ts";
import { descendantsOf } from "../support/process-tree.ts";
import { attemptsUsed, faultsOf } from "./checks.ts";
import { startCluster } from "./cluster.ts";
import { startSteadyLoad } from "./load.ts";
import type { Report } from "./report.ts";
import { readTrace, type StartedNode } from "./trace.ts";

/** Those that execute are replaced first, as docs/operations.md has it. */
const ROLES = ["run", "run", "run", "api", "api"];
const GRACE_SECONDS = 1;
/** Versions before it do not have a drain. */
const DRAIN_SECONDS = 1;
const EVERY_MS = 200;
/** Runs of three nodes take longer than that. */
const NODE_MS = 1_000;
const HANDED_OVER_MS = 1_000;

/** Replaces each server by one of this version. `from` is the folder of the version that they have before. */
export async function proveRoll(
  programs: string,
  { redis, from }: { redis: boolean; from?: string },
  report: Report,
): Promise<void> {
  const drain = from === undefined ? DRAIN_SECONDS : 0;
  const env = { GRAPHLIB_GRACE_SECONDS: String(GRACE_SECONDS), GRAPHLIB_DRAIN_SECONDS: String(drain) };
  const cluster = await startCluster({ programs, roles: ROLES, app: "api/apps/durable", env, redis, root: from });
  try {
    const steady = startSteadyLoad(cluster, { everyMs: EVERY_MS, ms: NODE_MS });
    await pause(2_000);
    const givenUp = new Map<number, number>();
    for (const member of cluster.members) {
      const ends = Date.now() + (drain + GRACE_SECONDS) * 1_000;
      for (const { pid } of descendantsOf(member.pid() ?? 0)) givenUp.set(pid, ends);
      await member.drain();
      await member.start();
    }
    await pause(2_000);
    const load = await steady.end();
    await load.ended;
    const faults = [...steady.refused.map((one) => `refused: ${one}`), ...(await faultsOf(cluster, load))];
    faults.push(...cluster.balancer.failures);
    const used = await attemptsUsed(cluster);
    if (used > 0) faults.push(`${used} runs used an attempt`);
    const waits = handOvers(readTrace(cluster.trace), givenUp);
    const most = Math.max(...waits);
    if (waits.length === 0) faults.push("no run was handed over");
    else if (!(most <= HANDED_OVER_MS)) faults.push(`a hand-over took ${most} ms`);
    const handed = `${waits.length} handed over within ${most} ms (p50 ${quantile(waits, 0.5)} ms)`;
    const missed = `${cluster.balancer.missed()} connections refused`;
    report(
      from === undefined ? "each server replaced" : "each server upgraded",
      faults,
      `${load.runs.length} runs, ${handed}, ${missed}`,
    );
  } finally {
    await cluster.close();
  }
}

/** Returns how long each run waited that went to another process, in ms. `givenUp` is when each process gave its runs up. */
function handOvers(nodes: readonly StartedNode[], givenUp: ReadonlyMap<number, number>): number[] {
  const waits: number[] = [];
  for (const own of Map.groupBy(nodes, ({ run }) => run).values())
    for (const [n, next] of own.entries()) {
      const last = own[n - 1];
      if (last && last.pid !== next.pid) waits.push(next.at - (givenUp.get(last.pid) ?? Number.NaN));
    }
  return waits;
}

/** How long the runs of an executor that was killed wait until another one goes on with them. */
import { setTimeout as pause } from "node:timers/promises";
import { quantile } from "../bench/measure.ts";
import { descendantsOf } from "../support/process-tree.ts";
import { faultsOf } from "./checks.ts";
import { type Cluster, type Member, startCluster } from "./cluster.ts";
import { startLoad } from "./load.ts";
import { type Report, seconds } from "./report.ts";
import { readTrace } from "./trace.ts";

const ROLES = ["api", "run", "run", "run"];
const KILLS = 5;
/** Fewer than the servers that are left can execute at once. */
const RUNS = 15;
const NODE_MS = 8_000;
/** The longest wait of 95 % of the runs, in ms. Leases take 15 s, the default. */
const RECOVERED_MS = 20_000;

export async function proveRecovery(programs: string, redis: boolean, report: Report): Promise<void> {
  const cluster = await startCluster({ programs, roles: ROLES, app: "api/apps/durable", redis });
  try {
    const faults: string[] = [];
    const waits: number[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const member = cluster.members[1 + (kill % 3)];
      if (member) await killOne(cluster, member, waits, faults);
    }
    const [middle, most] = [quantile(waits, 0.5), quantile(waits, 0.95)];
    if (!(most <= RECOVERED_MS)) faults.push(`p95 is ${seconds(most)}, more than ${seconds(RECOVERED_MS)}`);
    const of = `${waits.length} runs of ${KILLS} killed servers`;
    report("recovery after a crash", faults, `${of} went on after ${seconds(middle)} (p50), ${seconds(most)} (p95)`);
  } finally {
    await cluster.close();
  }
}

async function killOne(cluster: Cluster, member: Member, waits: number[], faults: string[]): Promise<void> {
  const load = await startLoad(cluster, { runs: RUNS, threads: RUNS, ms: NODE_MS });
  await pause(NODE_MS / 4);
  const workers = new Set(descendantsOf(member.pid() ?? 0).map(({ pid }) => pid));
  const killed = Date.now();
  await member.kill();
  await load.ended;
  await member.start();
  faults.push(...(await faultsOf(cluster, load)));
  const started = Map.groupBy(readTrace(cluster.trace), ({ run }) => run);
  for (const { run } of load.runs) {
    const nodes = started.get(run) ?? [];
    if (!nodes.some(({ pid }) => workers.has(pid))) continue;
    const next = nodes.find(({ pid }) => !workers.has(pid));
    waits.push(next ? next.at - killed : Number.POSITIVE_INFINITY);
  }
}

/** Takes the database or Redis away while runs are under way. */
import { setTimeout as pause } from "node:timers/promises";
import { type Cluster, startCluster } from "./cluster.ts";
import { faultsOf } from "./checks.ts";
import { type Load, startLoad } from "./load.ts";
import { type Report, seconds } from "./report.ts";

const ROLES = ["api", "api", "run", "run", "run"];
const RUNS = 300;
const THREADS = 30;
/** The longest time from the end of a fault until everything goes on, in ms. */
const RESUMED_MS = 30_000;
const AWAY_MS = 20_000;

export interface Fault {
  name: string;
  /** Does it, and resolves when it is over. */
  happen: (cluster: Cluster) => Promise<void>;
}

export const FAULTS: readonly Fault[] = [
  {
    name: "database restarted at once",
    happen({ postgres }) {
      postgres.stop("immediate");
      postgres.start();
      return Promise.resolve();
    },
  },
  {
    name: "database away for 20 s",
    async happen({ postgres }) {
      postgres.stop("immediate");
      await pause(AWAY_MS);
      postgres.start();
    },
  },
  {
    name: "network to the database cut",
    async happen({ toPostgres }) {
      toPostgres.refuse();
      await pause(AWAY_MS);
      toPostgres.accept();
    },
  },
  { name: "Redis flushed", happen: async ({ redis }) => await redis?.flush() },
  {
    name: "Redis killed, and back after 10 s",
    async happen({ redis }) {
      await redis?.stop();
      await pause(AWAY_MS / 2);
      await redis?.start();
    },
  },
  {
    name: "Redis and the database killed",
    async happen({ redis, postgres }) {
      postgres.stop("immediate");
      await redis?.stop();
      await pause(AWAY_MS / 4);
      postgres.start();
      await redis?.start();
    },
  },
];

/** Does a fault while runs are under way, and proves that nothing is lost and no request fails. */
export async function proveFault(programs: string, { name, happen }: Fault, report: Report): Promise<void> {
  const cluster = await startCluster({ programs, roles: ROLES, app: "api/apps/durable" });
  try {
    const load = await startLoad(cluster, { runs: RUNS, threads: THREADS });
    await pause(1_000);
    const before = cluster.balancer.failures.length;
    await happen(cluster);
    const resumedMs = await timed(load);
    const faults = await faultsOf(cluster, load);
    const failures = cluster.balancer.failures.slice(before);
    if (resumedMs > RESUMED_MS) faults.push(`runs had ended ${resumedMs} ms after it was over`);
    if (failures.length > 0) faults.push(`requests failed: ${failures.slice(0, 3).join("; ")}`);
    const figures = `${RUNS} runs had ended ${seconds(resumedMs)} after it`;
    report(name, faults, figures);
  } finally {
    await cluster.close();
  }
}

async function timed({ ended }: Load): Promise<number> {
  const began = performance.now();
  await ended;
  return Math.round(performance.now() - began);
}

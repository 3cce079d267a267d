/** Official clients and the chat in a browser, whose servers, database and Redis are taken away one after the other. */
import { setTimeout as pause } from "node:timers/promises";
import { CHAOS_ENV, CHAOS_ROLES, killSome } from "./chaos.ts";
import { faultsOf } from "./checks.ts";
import { startCluster } from "./cluster.ts";
import { startSteadyLoad } from "./load.ts";
import { openOutsideClients } from "./outside-clients.ts";
import type { Report } from "./report.ts";

const KILLS = 20;
const KILL_EVERY_MS = 2_000;
/** A run of LangGraph's client, followed to its end, begins this often. */
const RUN_EVERY_MS = 1_000;

export async function proveClients(programs: string, redis: boolean, report: Report): Promise<void> {
  const options = { programs, roles: CHAOS_ROLES, app: "api/apps/durable", env: CHAOS_ENV, redis };
  const cluster = await startCluster(options);
  try {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const use = await openOutsideClients(cluster.balancer.url);
    const steady = startSteadyLoad(cluster, { everyMs: RUN_EVERY_MS, ms: 200 });
    const used = use(ended);
    const kills = await killSome(cluster, { seed: 1, most: KILLS, everyMs: KILL_EVERY_MS }, ended);
    await cluster.redis?.flush();
    await pause(KILL_EVERY_MS);
    cluster.postgres.stop("immediate");
    cluster.postgres.start();
    await pause(2 * KILL_EVERY_MS);
    end();
    const load = await steady.end();
    await load.ended;
    const { answered, faults } = await used;
    if (answered.tasks === 0) faults.push("no task of A2A was done");
    if (answered.turns === 0) faults.push("no question of the chat was answered");
    report(
      "official clients and the chat",
      [...faults, ...(await faultsOf(cluster, load))],
      `${kills} kills, a flush, a restart of the database: ${load.runs.length} runs, ${answered.tasks} tasks of A2A,` +
        ` ${answered.turns} turns of the chat`,
    );
  } finally {
    await cluster.close();
  }
}

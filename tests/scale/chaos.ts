/** Kills servers at random while they work. */
import { setTimeout as pause } from "node:timers/promises";
import { type Cluster, startCluster } from "./cluster.ts";
import { faultsOf, givenUp } from "./checks.ts";
import { startLoad } from "./load.ts";

export interface Chaos {
  programs: string;
  seed: number;
  runs: number;
  threads: number;
  kills: number;
  redis: boolean;
}

export interface ChaosResult {
  faults: string[];
  kills: number;
  givenUp: number;
  seconds: number;
}

/** Leases are short, because the servers are gone. */
export const CHAOS_ENV = { GRAPHLIB_LEASE_SECONDS: "5", GRAPHLIB_GRACE_SECONDS: "0" };
export const CHAOS_ROLES = ["api", "api,run", "run", "run", "run"];
const EVERY_MS = 300;

/** Kills one server after the other with SIGKILL while runs are under way, and starts each again. */
export async function chaos({ programs, seed, runs, threads, kills, redis }: Chaos): Promise<ChaosResult> {
  const cluster = await startCluster({ programs, roles: CHAOS_ROLES, app: "api/apps/durable", env: CHAOS_ENV, redis });
  const began = performance.now();
  try {
    const load = await startLoad(cluster, { runs, threads });
    const done = await killSome(cluster, { seed, most: kills, everyMs: EVERY_MS }, load.ended);
    await load.ended;
    const seconds = Math.round((performance.now() - began) / 1000);
    return { faults: await faultsOf(cluster, load), kills: done, givenUp: await givenUp(cluster, load), seconds };
  } finally {
    await cluster.close();
  }
}

/** Returns how many servers were killed until `ended` resolved. One that answers and one that executes are left alive. */
export async function killSome(
  { members }: Pick<Cluster, "members">,
  { seed, most, everyMs }: { seed: number; most: number; everyMs: number },
  ended: Promise<void>,
): Promise<number> {
  const random = randomOf(seed);
  let isOver = false;
  void ended.then(() => (isOver = true));
  const starting = new Set<Promise<void>>();
  let kills = 0;
  while (kills < most && !isOver) {
    await pause(everyMs);
    const ready = members.filter((one) => one.pid() !== undefined);
    const victims = ready.filter((one) =>
      ["api", "run"].every((role) => ready.some((other) => other !== one && other.roles.includes(role))),
    );
    const victim = victims[Math.floor(random() * victims.length)];
    if (!victim) continue;
    await victim.kill();
    kills += 1;
    const started = victim.start();
    starting.add(started);
    void started.finally(() => starting.delete(started));
  }
  await Promise.all(starting);
  return kills;
}

/** Returns a generator of numbers from 0 to 1 that is the same for the same seed (Mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

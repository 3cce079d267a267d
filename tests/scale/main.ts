/**
 * `npm run test:scale [-- <part of a name>]` proves what servers that share a database promise, with an own PostgreSQL and Redis for
 * each group, and prints the figures. `SCALE_SEEDS` (5) is the number of seeds. `SCALE_OLD` is the folder of an older version,
 * with its packages and built, whose servers are then upgraded.
 */
import { hasRedis } from "../support/own-redis.ts";
import { findPostgresPrograms } from "../support/own-postgres.ts";
import { machineText } from "../bench/machine.ts";
import { chaos } from "./chaos.ts";
import { proveClients } from "./clients.ts";
import { proveClocks } from "./clocks.ts";
import { FAULTS, proveFault } from "./faults.ts";
import { proveMemory } from "./memory.ts";
import { proveRecovery } from "./recovery.ts";
import type { Report } from "./report.ts";
import { proveRoll } from "./roll.ts";
import { measureSharing, reportCosts } from "./several-servers.ts";
import { proveStories } from "./stories.ts";

const programs = findPostgresPrograms();
const redis = hasRedis();
const wanted = process.argv[2] ?? "";
const SEEDS = Number(process.env.SCALE_SEEDS ?? 5);
const OLD = process.env.SCALE_OLD;
let failed = 0;

const report: Report = (name, faults, figures) => {
  if (faults.length > 0) failed += 1;
  console.log(`${faults.length === 0 ? "ok    " : "FAILED"} ${name.padEnd(34)} ${figures}`);
  for (const fault of faults.slice(0, 10)) console.log(`       ${fault}`);
};

async function chaosOf(programs: string, seed: number): Promise<void> {
  const options = { programs, seed, runs: 500, threads: 50, kills: 40, redis: redis && seed % 2 === 1 };
  const { faults, kills, givenUp, seconds } = await chaos(options);
  report(
    `chaos, seed ${seed}, ${options.redis ? "with" : "without"} Redis`,
    faults,
    `500 runs on 50 threads, ${kills} kills, ${givenUp} given up, ${seconds} s`,
  );
}

type Group = (programs: string) => Promise<void>;

const seeds = Array.from({ length: SEEDS }, (_, n) => n + 1);
const groups: Record<string, Group> = {
  ...Object.fromEntries(seeds.map((seed) => [`chaos ${seed}`, (programs: string) => chaosOf(programs, seed)])),
  ...Object.fromEntries(FAULTS.map((fault) => [fault.name, (programs: string) => proveFault(programs, fault, report)])),
  clients: (programs) => proveClients(programs, redis, report),
  clocks: (programs) => proveClocks(programs, redis, report),
  replaced: (programs) => proveRoll(programs, { redis }, report),
  ...(OLD !== undefined && { upgraded: (programs) => proveRoll(programs, { redis, from: OLD }, report) }),
  recovery: (programs) => proveRecovery(programs, redis, report),
  memory: (programs) => proveMemory(programs, report),
  costs: async (programs) => reportCosts(await measureSharing(programs), report),
  stories: () => proveStories(report),
};

console.log(machineText(`Node ${process.version}`));
if (programs === undefined) process.exit(1);
for (const [name, prove] of Object.entries(groups)) if (name.includes(wanted)) await prove(programs);
process.exitCode = failed > 0 ? 1 : 0;

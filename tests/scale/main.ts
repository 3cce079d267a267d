/**
 * `npm run test:scale [-- <part of a name>]` proves what servers that share a database promise, with an own PostgreSQL and Redis for
 * each group, and prints the figures. `SCALE_SEEDS` (5) is the number of seeds.
 */
import { hasRedis } from "../support/own-redis.ts";
import { findPostgresPrograms } from "../support/own-postgres.ts";
import { machineText } from "../bench/machine.ts";
import { chaos } from "./chaos.ts";
import { FAULTS, proveFault } from "./faults.ts";

const programs = findPostgresPrograms();
const redis = hasRedis();
const wanted = process.argv[2] ?? "";
const SEEDS = Number(process.env.SCALE_SEEDS ?? 5);
let failed = 0;

function report(name: string, faults: readonly string[], figures: string): void {
  if (faults.length > 0) failed += 1;
  console.log(`${faults.length === 0 ? "ok    " : "FAILED"} ${name.padEnd(34)} ${figures}`);
  for (const fault of faults.slice(0, 10)) console.log(`       ${fault}`);
}

async function chaosOf(seed: number): Promise<void> {
  const options = { programs: programs ?? "", seed, runs: 500, threads: 50, kills: 40, redis: redis && seed % 2 === 1 };
  const { faults, kills, givenUp, seconds } = await chaos(options);
  const bus = options.redis ? "with Redis" : "without Redis";
  report(
    `chaos, seed ${seed}, ${bus}`,
    faults,
    `500 runs on 50 threads, ${kills} kills, ${givenUp} given up, ${seconds} s`,
  );
}

const groups: Record<string, () => Promise<void>> = {
  ...Object.fromEntries(Array.from({ length: SEEDS }, (_, n) => [`chaos ${n + 1}`, () => chaosOf(n + 1)])),
  ...Object.fromEntries(FAULTS.map((fault) => [fault.name, () => proveFault(programs ?? "", fault, report)])),
};

console.log(machineText(`Node ${process.version}`));
if (programs === undefined) process.exit(1);
for (const [name, prove] of Object.entries(groups)) if (name.includes(wanted)) await prove();
process.exitCode = failed > 0 ? 1 : 0;

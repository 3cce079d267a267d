/** The short form of `npm run test:scale`. */
import { expect, test } from "vitest";
import { findPostgresPrograms } from "../support/own-postgres.ts";
import { hasRedis } from "../support/own-redis.ts";
import { chaos } from "./chaos.ts";

const programs = findPostgresPrograms();
const redis = hasRedis();

test.skipIf(programs === undefined)(
  "SIGKILL of servers that share a database loses, repeats and blocks nothing",
  async () => {
    const options = { programs: programs ?? "", seed: 1, runs: 100, threads: 10, kills: 4, redis };
    const { faults, kills } = await chaos(options);
    expect(faults).toEqual([]);
    expect(kills).toBeGreaterThan(0);
  },
  600_000,
);

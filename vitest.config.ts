import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tests/support/longest-first.ts";

/** Tests of these rooms start no process and change nothing that a process has once: one process runs many of their files. */
const IN_PROCESS = ["rules", "protocol", "graphs", "http", "engine", "bench"];
const WITHOUT = ["tests/e2e/**", "tests/**/apps/**"];

export default defineConfig({
  test: {
    pool: "forks",
    // Only what hangs comes near these: no test depends on speed.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    allowOnly: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "machine",
          include: ["tests/**/*.test.ts"],
          exclude: [...WITHOUT, `tests/{${IN_PROCESS.join()}}/**`],
          globalSetup: "tests/support/shared-servers.ts",
          // More than there are processors: these mostly wait for other processes, and for time to pass.
          maxWorkers: 4,
        },
      },
      {
        extends: true,
        test: {
          name: "in process",
          include: [`tests/{${IN_PROCESS.join()}}/**/*.test.ts`],
          exclude: WITHOUT,
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

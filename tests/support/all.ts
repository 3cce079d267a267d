// `npm test` runs every stage, also after one has failed. `node tests/support/all.ts lint unit` runs only those two.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

type Count = { passed: number; failed: number };
type Stage = { name: string; command: string[]; count: (succeeded: boolean) => Count; shown: "always" | "on failure" };
type Outcome = Count & { line: string; output: string };

const ROOT = join(import.meta.dirname, "..", "..");
const REPORTS = join(ROOT, "test-results");
const UNIT_REPORT = join(REPORTS, "unit.json");
const BROWSER_REPORT = join(REPORTS, "browser.json");

const UnitReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});
const BrowserReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }),
  errors: z.array(z.unknown()),
});

function bin(path: string, ...args: string[]): string[] {
  return [process.execPath, join(ROOT, "node_modules", path), ...args];
}

function read<T>(schema: z.ZodType<T>, path: string): T | undefined {
  try {
    return schema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}

/** Counts a stage that failed without a failed test (a crash, an error outside of every test) as one failure. */
function settle(count: Count | undefined, succeeded: boolean): Count {
  const { passed, failed } = count ?? { passed: 0, failed: 1 };
  return { passed, failed: succeeded ? failed : Math.max(failed, 1) };
}

function countUnit(succeeded: boolean): Count {
  const report = read(UnitReport, UNIT_REPORT);
  if (!report) return settle(undefined, succeeded);
  const unread = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  return settle({ passed: report.numPassedTests, failed: report.numFailedTests + unread.length }, succeeded);
}

function countBrowser(succeeded: boolean): Count {
  const report = read(BrowserReport, BROWSER_REPORT);
  if (!report) return settle(undefined, succeeded);
  const { expected, flaky, unexpected } = report.stats;
  return settle({ passed: expected, failed: unexpected + flaky + report.errors.length }, succeeded);
}

function check(name: string): Stage {
  const count = (succeeded: boolean) => ({ passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 });
  return { name, command: ["npm", "run", "--silent", name], count, shown: "on failure" };
}

const stages: Stage[] = [
  ...["format", "types", "walls", "dead", "lint"].map(check),
  {
    name: "unit",
    command: bin(
      "vitest/vitest.mjs",
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${UNIT_REPORT}`,
    ),
    count: countUnit,
    shown: "always",
  },
  {
    name: "browser",
    command: bin("@playwright/test/cli.js", "test", "--reporter=list,json"),
    count: countBrowser,
    shown: "always",
  },
];

/** Runs the command of a stage. The output is collected only for a stage that shows it on failure. */
function run(stage: Stage): Promise<{ succeeded: boolean; output: string }> {
  const [command = "", ...args] = stage.command;
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_FILE: BROWSER_REPORT };
  const kept = stage.shown === "on failure" ? "pipe" : "inherit";
  const child = spawn(command, args, {
    cwd: ROOT,
    env,
    stdio: ["ignore", kept, kept],
    shell: process.platform === "win32" && command === "npm",
  });
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => {
    child.on("error", (cause) => resolve({ succeeded: false, output: `${cause.message}\n` }));
    child.on("close", (code) => resolve({ succeeded: code === 0, output }));
  });
}

function chosen(names: string[]): Stage[] {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0)
    throw new Error(`No stage called ${unknown.join(", ")}: ${stages.map(({ name }) => name).join(", ")}`);
  return names.length === 0 ? stages : stages.filter(({ name }) => names.includes(name));
}

async function complete(stage: Stage): Promise<Outcome> {
  const started = performance.now();
  if (stage.shown === "always") process.stdout.write(`\n${stage.name}\n`);
  const { succeeded, output } = await run(stage);
  const { passed, failed } = stage.count(succeeded);
  const took = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const line = `${failed === 0 ? "ok    " : "FAILED"} ${stage.name.padEnd(8)} ${took.padStart(8)}  ${passed} passed, ${failed} failed`;
  return { passed, failed, line, output: succeeded ? "" : output };
}

/**
 * These stages use one processor each. Lint uses all of them, and reads the route types that the stage "types" writes.
 */
const SIDE_BY_SIDE = new Set(["format", "types", "walls", "dead"]);

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const all = chosen(process.argv.slice(2));
const batches = [
  all.filter(({ name }) => SIDE_BY_SIDE.has(name)),
  ...all.filter(({ name }) => !SIDE_BY_SIDE.has(name)).map((stage) => [stage]),
];
const outcomes: Outcome[] = [];
for (const batch of batches) {
  for (const outcome of await Promise.all(batch.map(complete))) {
    outcomes.push(outcome);
    process.stdout.write(`${outcome.output}${outcome.line}\n`);
  }
}
const passed = outcomes.reduce((sum, one) => sum + one.passed, 0);
const failed = outcomes.reduce((sum, one) => sum + one.failed, 0);
process.stdout.write(`\n${outcomes.map(({ line }) => line).join("\n")}\n\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

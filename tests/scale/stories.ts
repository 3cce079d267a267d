/** Tells the random stories of `tests/drivers/two-writers.test.ts` as often as the design of several servers asks for. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { type Report, seconds } from "./report.ts";

const STORIES = 10_000;
const root = resolve(import.meta.dirname, "../..");

export async function proveStories(report: Report): Promise<void> {
  const began = performance.now();
  const options = ["run", "tests/drivers/two-writers.test.ts", "--testNamePattern", "random stories"];
  const vitest = spawn(resolve(root, "node_modules/.bin/vitest"), options, {
    cwd: root,
    env: { ...process.env, SCALE_STORIES: String(STORIES) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  vitest.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = (await once(vitest, "close")) as [number | null];
  const faults = code === 0 ? [] : output.split("\n").slice(-30);
  report("stories of servers that claim", faults, `${STORIES} stories, ${seconds(performance.now() - began)}`);
}

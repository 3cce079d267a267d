import { execFileSync, spawn } from "node:child_process";
import { resolve } from "node:path";
import type { Measured } from "./measure.ts";

const here = import.meta.dirname;
const root = resolve(here, "../..");

/** Builds the Next application of the bare route. */
export function buildBare(): void {
  execFileSync(resolve(root, "node_modules/.bin/next"), ["build", resolve(here, "bare")], {
    cwd: root,
    stdio: "ignore",
  });
}

/** Starts the bare route on a free port; it answers these pieces to every request. */
export async function startBare(pieces: readonly string[]): Promise<{ url: string; stop(): void }> {
  const env = { ...process.env, NODE_ENV: "production" as const, BENCH_PIECES: JSON.stringify(pieces) };
  const child = spawn(process.execPath, [resolve(here, "bare/server.ts")], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<string>((found) => {
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const line = /^port (\d+)$/m.exec(said)?.[1];
      if (line) found(line);
    });
  });
  return { url: `http://127.0.0.1:${port}/`, stop: () => void child.kill() };
}

/** A graph drained in a process of its own. */
export function inProcess(graph: string, callers: number, seconds: number): Measured {
  const file = resolve(here, "in-process.ts");
  const text = execFileSync(process.execPath, [file, graph, String(callers), String(seconds)], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production", LANGCHAIN_CALLBACKS_BACKGROUND: "false" },
  });
  return JSON.parse(text) as Measured;
}

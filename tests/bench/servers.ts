import { execFileSync, spawn } from "node:child_process";
import { resolve } from "node:path";
import { INSPECTED } from "./inspector.ts";
import type { Measured } from "./measure.ts";

const here = import.meta.dirname;
const root = resolve(here, "../..");

/** Builds the Next application of the bare route. */
export function buildBare(): void {
  execFileSync(resolve(root, "node_modules/.bin/next"), ["build", resolve(here, "bare")], {
    cwd: root,
    stdio: "ignore",
    timeout: 300_000,
  });
}

export interface BareServer {
  readonly url: string;
  readonly pid: number;
  output(): string;
  stop(): void;
}

/**
 * Starts the bare route on a free port. It answers every request with these pieces. With `open`, its answers do not end and
 * its inspector is open.
 */
export async function startBare(pieces: readonly string[], { open = false } = {}): Promise<BareServer> {
  const env = {
    ...process.env,
    ...(open && INSPECTED),
    NODE_ENV: "production" as const,
    BENCH_PIECES: JSON.stringify(pieces),
    BENCH_OPEN: open ? "1" : "",
  };
  const child = spawn(process.execPath, [resolve(here, "bare/server.ts")], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const port = await new Promise<string>((found) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const line = /^port (\d+)$/m.exec(output)?.[1];
        if (line) found(line);
      });
    }
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    pid: child.pid ?? 0,
    output: () => output,
    stop: () => void child.kill(),
  };
}

/** Measures a graph in a process of its own, whose processor time is the client's. With `kept`, its threads are kept in memory. */
export function inProcess(graph: string, callers: number, seconds: number, kept = false): Measured {
  const file = resolve(here, "in-process.ts");
  const text = execFileSync(process.execPath, [file, graph, String(callers), String(seconds), kept ? "kept" : ""], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production", LANGCHAIN_CALLBACKS_BACKGROUND: "false" },
  });
  const measured = JSON.parse(text) as Measured;
  // JSON has no `NaN`.
  return { ...measured, processor: { client: measured.processor.client, host: Number.NaN, worker: Number.NaN } };
}

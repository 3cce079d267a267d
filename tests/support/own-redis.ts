import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port.ts";

/** A Redis server of a test, which keeps nothing. */
export interface OwnRedis {
  readonly url: string;
  /** The id of its process; undefined while it is stopped. */
  pid(): number | undefined;
  start(): Promise<void>;
  /** Returns what `redis-cli` prints for a command. */
  ask(...command: string[]): Promise<string>;
  /** Removes all that it holds. */
  flush(): Promise<void>;
  /** Kills it. */
  stop(): Promise<void>;
  /** Kills it, and removes its folder. */
  remove(): Promise<void>;
}

/** Returns whether a Redis server can be started; warns if not. */
export function hasRedis(): boolean {
  try {
    execFileSync("redis-server", ["--version"]);
    return true;
  } catch {
    console.warn("redis-server is not installed: the tests of the bus did not run.");
    return false;
  }
}

/** Starts a Redis server on a free port of this machine. */
export async function startRedis(): Promise<OwnRedis> {
  const folder = mkdtempSync(join(tmpdir(), "graphlib-redis-"));
  const port = await freePort();
  let redis: ChildProcess | undefined;
  const own: OwnRedis = {
    url: `redis://127.0.0.1:${port}`,
    pid: () => redis?.pid,
    async start() {
      redis = spawn("redis-server", ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder]);
      for await (const text of redis.stdout ?? []) if (String(text).includes("Ready to accept")) break;
    },
    ask: async (...command) => (await promisify(execFile)("redis-cli", ["-p", String(port), ...command])).stdout,
    async flush() {
      await own.ask("flushall");
    },
    async stop() {
      if (!redis) return;
      redis.kill("SIGKILL");
      await once(redis, "exit");
      redis = undefined;
    },
    async remove() {
      await own.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await own.start();
  return own;
}

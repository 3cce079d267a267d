/** Ends processes that code has left behind. */
import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** What can't be killed, because it waits for a disk that does not answer, is not waited for longer. */
const PATIENCE_MS = 2_000;
const PAUSE_MS = 5;

/** All of a process group, at once. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // All of it has gone.
  }
}

/** All processes of a user, at once: none can start another meanwhile. Only root may ask for it. */
export function killUser(uid: number): void {
  const env = { NODE_ENV: "production" } as const;
  const options = { uid, gid: uid, cwd: "/", env, stdio: "ignore", timeout: PATIENCE_MS } as const;
  spawnSync("/bin/sh", ["-c", "kill -9 -1"], options);
}

/** What finds the processes of a program, wherever they have gone. */
export interface Mark {
  /** Of a variable in the environment of each. */
  name: string;
  value: string;
  /**
   * Their limit on file locks, which Linux does not enforce: a process may clear its environment, and may not raise a
   * limit again.
   */
  limit?: string;
}

/** Gives itself the limit, then becomes the program. `-x` is what bash calls it. */
const LIMITED = 'ulimit -w "$1" 2>/dev/null || ulimit -x "$1" 2>/dev/null; shift; exec "$@"';

/** The command line of a program that bears the limit of a mark. */
export function limited(
  { limit }: Mark,
  program: string,
  args: readonly string[],
): { program: string; args: string[] } {
  if (limit === undefined || process.platform !== "linux") return { program, args: [...args] };
  return { program: "/bin/sh", args: ["-c", LIMITED, "sh", limit, program, ...args] };
}

/**
 * Kills every process that bears this mark, wherever it has gone, and resolves when none is left: one that is being killed
 * may have started another just before, and takes its time to go. On Linux; elsewhere nobody can look into another
 * process's environment.
 */
export async function endStrays(mark: Mark): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while ((await killAll(mark)) > 0 && performance.now() < until) await sleep(PAUSE_MS);
}

/** Returns how many there still were. */
async function killAll({ limit, ...variable }: Mark): Promise<number> {
  const entry = `\0${variable.name}=${variable.value}\0`;
  const limits = limit === undefined ? undefined : new RegExp(`^Max file locks +\\S+ +${limit} `, "m");
  let found = 0;
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const isMarked =
      `\0${await textOf(`/proc/${pid}/environ`)}\0`.includes(entry) ||
      (limits?.test(await textOf(`/proc/${pid}/limits`)) ?? false);
    if (!isMarked) continue;
    found++;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has gone.
    }
  }
  return found;
}

async function textOf(path: string): Promise<string> {
  return await readFile(path, "latin1").catch(() => "");
}

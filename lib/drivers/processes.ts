/** Ends processes that code has left behind. */
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

/**
 * Kills every process that has this `NAME=value` in its environment, wherever it has gone, and resolves when none is left:
 * one that is being killed may have started another just before, and takes its time to go. On Linux; elsewhere nobody can
 * look into another process's environment.
 */
export async function endStrays(entry: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while ((await killAll(entry)) > 0 && performance.now() < until) await sleep(PAUSE_MS);
}

/** Returns how many there still were. */
async function killAll(entry: string): Promise<number> {
  let found = 0;
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
    if (!`\0${environment}\0`.includes(`\0${entry}\0`)) continue;
    found++;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has gone.
    }
  }
  return found;
}

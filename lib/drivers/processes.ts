/** Ends processes that code has left behind. */
import { readdir, readFile } from "node:fs/promises";

/** How often to look again: what is being killed may have started another just before. */
const ROUNDS = 3;

/** All of a process group, at once. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // All of it has gone.
  }
}

/**
 * Every process that has this `NAME=value` in its environment, wherever it has gone. On Linux; elsewhere nobody can look
 * into another process's environment.
 */
export async function endStrays(entry: string): Promise<void> {
  for (let found = true, round = 0; found && round < ROUNDS; round++) {
    found = false;
    const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
    for (const pid of pids) {
      const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
      if (!`\0${environment}\0`.includes(`\0${entry}\0`)) continue;
      found = true;
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {
        // It has gone.
      }
    }
  }
}

/** Measures the memory of a process and all its descendants. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { descendantsOf } from "../process-tree.ts";

/** The most threads to examine. If there are more, some processes are not found and the sum is too low. */
const MOST = 4_000;
const PS_MS = 2_000;
const KB = 1024;

/** Bytes of a process. `shared` are pages of files, which several processes may have in common. */
interface Resident {
  own: number;
  shared: number;
}

/** Returns bytes, or undefined if the process has ended or the system does not report it. Pages of files count once. */
export async function residentOf(pid: number): Promise<number | undefined> {
  const found = process.platform === "linux" ? await fromProc(pid) : await fromPs(pid);
  if (found.length === 0) return undefined;
  const own = found.reduce((sum, one) => sum + one.own, 0);
  return own + Math.max(...found.map((one) => one.shared));
}

async function fromProc(pid: number): Promise<Resident[]> {
  const found: Resident[] = [];
  for (const one of [pid, ...descendantsOf(pid, MOST)]) {
    const status = await readFile(`/proc/${one}/status`, "latin1").catch(() => "");
    const kb = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
    if (/^VmRSS:/m.test(status)) found.push({ own: (kb("RssAnon") + kb("RssShmem")) * KB, shared: kb("RssFile") * KB });
  }
  return found;
}

/** Reads from `ps`, on systems without `/proc`. */
async function fromPs(pid: number): Promise<Resident[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,rss="], { timeout: PS_MS }).catch(() => ({
    stdout: "",
  }));
  const rows = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const found: Resident[] = [];
  const seen = new Set([pid]);
  for (const one of seen)
    for (const [id = 0, parent, kb = 0] of rows) {
      if (id === one) found.push({ own: kb * KB, shared: 0 });
      if (parent === one && seen.size < MOST) seen.add(id);
    }
  return found;
}

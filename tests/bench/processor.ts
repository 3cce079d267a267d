/** Processor time by process, from the tables of Linux. */
import { readFileSync } from "node:fs";
import { descendantsOf, isAlive } from "../support/process-tree.ts";

/** Processor time in ms: of this process, of the server, and of the processes below it. */
export interface Processor {
  client: number;
  host: number;
  worker: number;
}

/** Linux counts in hundredths of a second, on every machine that Node runs on. */
const MS_PER_TICK = 10;

/** Returns the time that has been used so far. Without a server, and on other systems than Linux, only the client's is known. */
export function processorTime(server?: number): Processor {
  const { user, system } = process.cpuUsage();
  const below = server === undefined ? [] : descendantsOf(server);
  return {
    client: (user + system) / 1000,
    host: server === undefined ? Number.NaN : timeOf(server),
    worker: below.reduce((sum, { pid }) => sum + timeOf(pid), 0),
  };
}

/**
 * Returns the time in ms that a process and those below it have used so far. Those that have ended count as well, once the
 * process that started them has waited for them: a pool closes idle connections, and PostgreSQL has a process for each.
 */
export function timeOfTree(pid: number): number {
  const time = descendantsOf(pid).reduce((sum, one) => sum + timeOf(one.pid, WITH_ENDED), timeOf(pid, WITH_ENDED));
  // A process has ended meanwhile. Its time is that of its parent now.
  return Number.isNaN(time) && isAlive(pid) ? timeOfTree(pid) : time;
}

export function perRun(before: Processor, after: Processor, runs: number): Processor {
  return {
    client: (after.client - before.client) / runs,
    host: (after.host - before.host) / runs,
    worker: (after.worker - before.worker) / runs,
  };
}

/** How many of the times of a process are added: its own as user and system, and those of its children that have ended. */
const [OWN, WITH_ENDED] = [2, 4];

function timeOf(pid: number, fields = OWN): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const times = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 11 + fields);
    return times.reduce((sum, ticks) => sum + Number(ticks), 0) * MS_PER_TICK;
  } catch {
    return Number.NaN;
  }
}

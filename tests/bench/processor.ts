/** Processor time by process, from the tables of Linux. */
import { readFileSync } from "node:fs";
import { descendantsOf } from "../support/process-tree.ts";

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

/** Returns the time in ms that a process and those below it, which all go on, have used so far. */
export function timeOfTree(pid: number): number {
  return descendantsOf(pid).reduce((sum, one) => sum + timeOf(one.pid), timeOf(pid));
}

export function perRun(before: Processor, after: Processor, runs: number): Processor {
  return {
    client: (after.client - before.client) / runs,
    host: (after.host - before.host) / runs,
    worker: (after.worker - before.worker) / runs,
  };
}

function timeOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13);
    return (Number(user) + Number(system)) * MS_PER_TICK;
  } catch {
    return Number.NaN;
  }
}

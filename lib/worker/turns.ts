/**
 * Lets the process take a turn of its event loop. Steps of a graph whose nodes never wait follow each other in promises
 * alone, and nothing else of the process would go on before its run has ended: no other run, no answer, not even a
 * cancellation of this one.
 */
import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * The most that others wait for the steps of runs, in ms of processor time. A short run takes less, also in a process that
 * is cold or on a machine that is busy, so its events leave together as ever.
 */
const LONGEST_MS = 50;

/** Older releases of Node.js tell only the time of the process, which includes the threads of the garbage collector. */
const { threadCpuUsage }: Partial<NodeJS.Process> = process;
const cpuUsage = threadCpuUsage ?? process.cpuUsage;

/** When the first step since the last turn began; undefined if there was none. */
let begin: { readonly at: number; readonly used: NodeJS.CpuUsage } | undefined;

/** Notes a step, and returns whether steps have kept the event loop for long enough. */
export function isTurnDue(): boolean {
  if (begin !== undefined) return performance.now() - begin.at > LONGEST_MS && usedSince(begin.used) > LONGEST_MS;
  begin = { at: performance.now(), used: cpuUsage() };
  setImmediate(() => (begin = undefined));
  return false;
}

export async function takeTurn(): Promise<void> {
  await nextTurn();
}

/** Returns the ms of processor time that the thread has used since then. */
function usedSince(before: NodeJS.CpuUsage): number {
  const { user, system } = cpuUsage(before);
  return (user + system) / 1000;
}

/** Lists processes and their descendants from `/proc` of Linux. On other systems, the lists are empty. */
import { readdirSync, readFileSync } from "node:fs";

export function allProcesses(): number[] {
  return namesIn("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/**
 * Returns descendants, nearest first. It examines at most `most` threads, 10 µs each, so that code that starts very
 * many does not block the server.
 */
export function descendantsOf(pid: number, most: number): number[] {
  const found = new Set([pid]);
  let looked = 0;
  for (const one of found) {
    const threads = threadsOf(one).slice(0, most - looked);
    looked += threads.length;
    for (const child of threads.flatMap((thread) => childrenOfThread(one, thread))) found.add(child);
  }
  return [...found].slice(1);
}

export function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) => childrenOfThread(pid, thread));
}

function threadsOf(pid: number): string[] {
  return namesIn(`/proc/${pid}/task`);
}

/** A child belongs to the thread that started it. */
function childrenOfThread(pid: number, thread: string): number[] {
  return numbersIn(`/proc/${pid}/task/${thread}/children`);
}

/** Returns the names in a folder of `/proc`; none if the process has ended or access is denied. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function numbersIn(file: string): number[] {
  try {
    return readFileSync(file, "latin1").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

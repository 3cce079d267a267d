/** Which processes are inside of a fence, by their numbers outside of it. */
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";

/** How a fenced command has ended: bubblewrap says a signal as a shell does, by 128 and its number. */
export function fencedEnding(code: number | null, signal: string | null) {
  const [name] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? [];
  return name === undefined ? { code, signal } : { code: null, signal: name };
}

/** A process in a loop of its own making must not keep the server from its work. */
const MOST = 10_000;

/** The program itself: bubblewrap watches a first process inside, which starts it. Undefined when it is not there. */
export function programIn(bwrap: number): number | undefined {
  const [first] = childrenOf(bwrap);
  return first === undefined ? undefined : childrenOf(first)[0];
}

/** All of them: what loses its parent inside becomes a child of the first process there. */
export function processesIn(bwrap: number): number[] {
  const found = [bwrap];
  for (let at = 0; at < found.length && found.length < MOST; at++) {
    found.push(...childrenOf(found[at] ?? 0));
  }
  return found.slice(1);
}

function childrenOf(pid: number): number[] {
  return namesIn(`/proc/${pid}/task`).flatMap((thread) => numbersIn(`/proc/${pid}/task/${thread}/children`));
}

function namesIn(folder: string): string[] {
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

/** Which processes are inside of a fence, by their numbers outside of it. */
import { constants } from "node:os";
import { childrenOf, descendantsOf } from "../process-tree.ts";

/** How a fenced command has ended: bubblewrap says a signal as a shell does, by 128 and its number. */
export function fencedEnding(code: number | null, signal: string | null) {
  const [name] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? [];
  return name === undefined ? { code, signal } : { code: null, signal: name };
}

/** Threads that are looked at. */
const MOST = 10_000;

/** The program itself: bubblewrap watches a first process inside, which starts it. Undefined when it is not there. */
export function programIn(bwrap: number): number | undefined {
  const [first] = childrenOf(bwrap);
  return first === undefined ? undefined : childrenOf(first)[0];
}

/** All of them: what loses its parent inside becomes a child of the first process there. */
export function processesIn(bwrap: number): number[] {
  return descendantsOf(bwrap, MOST);
}

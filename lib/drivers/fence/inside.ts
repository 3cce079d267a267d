/** Finds the processes inside of a fence, by their ids outside of it. */
import { constants } from "node:os";
import { childrenOf, descendantsOf } from "../process-tree.ts";

/** Returns how a fenced command ended. Bubblewrap reports a signal as a shell does, by 128 plus its number. */
export function fencedEnding(code: number | null, signal: string | null) {
  const [name] = Object.entries(constants.signals).find(([, number]) => code === 128 + number) ?? [];
  return name === undefined ? { code, signal } : { code: null, signal: name };
}

/** The most threads to examine. */
const MOST = 10_000;

/** Returns the program itself. It is the child of the first process inside, which is a child of bubblewrap. */
export function programIn(bwrap: number): number | undefined {
  const [first] = childrenOf(bwrap);
  return first === undefined ? undefined : childrenOf(first)[0];
}

/** Returns all processes inside: those that lose their parent become children of the first one. */
export function processesIn(bwrap: number): number[] {
  return descendantsOf(bwrap, MOST);
}

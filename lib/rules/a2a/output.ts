/** Bounds what a task keeps of its graph's events: in memory while the task runs, and in its row after that. */
import type { JsonObject } from "../../protocol/json.ts";

/** The longest output that a task keeps, in characters of JSON. The thread's state holds all of it. */
const LONGEST_OUTPUT = 4 * 1024 * 1024;

/** A task keeps this many characters beside its output: messages on the way to tools, interrupts and artifacts. */
const MOST_KEPT = 16 * 1024 * 1024;
/** The characters that an entry counts for in addition to its text. */
const ENTRY = 256;

/** A reply is streamed up to this many characters. The rest of a longer one comes with the end of the task. */
const LONGEST_WRITTEN = 1024 * 1024;

/** The output of the graph. */
export interface Output {
  readonly output?: JsonObject;
  /** Upper bound of its length as JSON. */
  readonly outputSize?: number;
  /** Set when the output was too large to be kept as a whole. */
  readonly isCut?: boolean;
}

/** Replaces the output by the whole state. `size` is its length as JSON. */
export function wholeOutput(values: JsonObject, size: number): Output {
  if (size <= LONGEST_OUTPUT) return { output: values, outputSize: size, isCut: undefined };
  return cut(values);
}

/** Adds the updates of nodes. `size` is their length as JSON. */
export function addedOutput({ output, outputSize = 0, isCut }: Output, updates: JsonObject[], size: number): Output {
  const added = Object.fromEntries([output ?? {}, ...updates].flatMap((update) => Object.entries(update)));
  const most = outputSize + size;
  // Overwritten values count, too, until the sum is twice the limit. Then the output is measured.
  if (most <= 2 * LONGEST_OUTPUT) return { output: added, outputSize: most, isCut };
  const now = lengthOf(added);
  return now <= LONGEST_OUTPUT ? { output: added, outputSize: now, isCut } : cut(added);
}

/** Returns the entries for which there is room after `kept` characters, in their order, and the new sum. */
export function fitting<E>(entries: readonly E[], textOf: (entry: E) => string, kept = 0): { fit: E[]; kept: number } {
  let sum = kept;
  const fit = entries.filter((entry) => {
    const more = ENTRY + textOf(entry).length;
    if (sum + more > MOST_KEPT) return false;
    sum += more;
    return true;
  });
  return { fit, kept: sum };
}

/** Returns whether a reply of this length may be streamed: each new piece is compared with the whole text. */
export function mayGrow(length: number): boolean {
  return length <= LONGEST_WRITTEN;
}

/** Keeps only what the end of a task needs: the structured response and the graph's metadata. */
function cut({ structuredResponse, structured_response, metadata }: JsonObject): Output {
  const output = { structuredResponse, structured_response, metadata };
  const size = lengthOf(output);
  return size <= LONGEST_OUTPUT
    ? { output, outputSize: size, isCut: true }
    : { output: {}, outputSize: 0, isCut: true };
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}

/** A task keeps what its graph tells in memory while it runs, and in its row after that. This bounds it. */
import type { JsonObject } from "../../protocol/json.ts";

/** Longest output that a task keeps, in characters of JSON. The thread's state holds all of it. */
const LONGEST_OUTPUT = 4 * 1024 * 1024;

/** A task keeps this many characters beside its output: messages on the way to tools, interrupts and artifacts. */
const MOST_KEPT = 16 * 1024 * 1024;
/** An entry costs this much beside its text. */
const ENTRY = 256;

/** A reply is streamed up to this many characters. The rest of a longer one comes with the end of the task. */
const LONGEST_WRITTEN = 1024 * 1024;

/** The output of the graph. */
export interface Output {
  readonly output?: JsonObject;
  /** Upper bound of its length as JSON. */
  readonly outputSize?: number;
  /** It was too large to be kept as a whole. */
  readonly isCut?: boolean;
}

/** The whole state: it takes the place of what was there. `size`: its length as JSON. */
export function wholeOutput(values: JsonObject, size: number): Output {
  if (size <= LONGEST_OUTPUT) return { output: values, outputSize: size, isCut: undefined };
  return cut(values);
}

/** Adds the updates of nodes. `size`: their length as JSON. */
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

/** Tells whether a reply of so many characters is kept while it is written. Each piece is compared with all of it. */
export function mayGrow(length: number): boolean {
  return length <= LONGEST_WRITTEN;
}

/** Keeps only what the end of a task needs: an answer by a schema, and the graph's metadata. */
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

import { MEMORY_SETTING } from "../revisions/start-problem.ts";

/** Memory besides the heap for Node.js itself, code and buffers. */
const MARGIN_MB = 256;
const FACTOR = 1.5;
/** The number of readings in a row above the limit. A short peak ends by itself. */
const TIMES = 3;

const MB = 1024 * 1024;

/** Returns the resident memory, in bytes, that is allowed to a process whose heap may grow to `memoryMb`. */
export function residentLimit(memoryMb: number): number {
  return (memoryMb * FACTOR + MARGIN_MB) * MB;
}

/** Returns a function that takes each reading and returns why the process has to end, once it has to. */
export function watchResident(memoryMb: number): (bytes: number) => string | undefined {
  const limit = residentLimit(memoryMb);
  let over = 0;
  return (bytes) => {
    over = bytes > limit ? over + 1 : 0;
    if (over < TIMES) return undefined;
    return `it took ${Math.round(bytes / MB)} MB of memory, more than the ${Math.round(limit / MB)} MB that a limit of ${memoryMb} MB (${MEMORY_SETTING}) leaves it`;
  };
}

/** Returns why a process ended by itself whose heap was full. */
export function heapIsFull(memoryMb: number): string {
  return `it ran out of memory: its heap may grow to ${memoryMb} MB (${MEMORY_SETTING})`;
}

import { MEMORY_SETTING } from "../revisions/start-problem.ts";

/** Room beside the heap for what Node.js itself, code and buffers take. */
const MARGIN_MB = 256;
const FACTOR = 1.5;
/** As often in a row as this it has to be seen: what is over only for a moment ends by itself. */
const TIMES = 3;

const MB = 1024 * 1024;

/** Bytes that a process may have resident whose heap may grow to `memoryMb`. */
export function residentLimit(memoryMb: number): number {
  return (memoryMb * FACTOR + MARGIN_MB) * MB;
}

/** Takes one reading after the other; returns why the process has to end, once it has to. */
export function watchResident(memoryMb: number): (bytes: number) => string | undefined {
  const limit = residentLimit(memoryMb);
  let over = 0;
  return (bytes) => {
    over = bytes > limit ? over + 1 : 0;
    if (over < TIMES) return undefined;
    return `it took ${Math.round(bytes / MB)} MB of memory, more than the ${Math.round(limit / MB)} MB that a limit of ${memoryMb} MB (${MEMORY_SETTING}) leaves it`;
  };
}

/** Why a process ended by itself whose heap was full. */
export function heapIsFull(memoryMb: number): string {
  return `it ran out of memory: its heap may grow to ${memoryMb} MB (${MEMORY_SETTING})`;
}

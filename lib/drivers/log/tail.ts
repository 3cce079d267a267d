import type { NewEvent, RunEvent } from "../../protocol/stream.ts";

/** How much of a run's newest events is kept at hand for those who follow it; older ones are read from the database. */
const TAIL_BYTES = 256 * 1024;
/** How much is kept of runs that have ended, for those about to read their last events. */
const ENDED_BYTES = 16 * 1024 * 1024;
/** A tail costs something even when its events do not. */
const OVERHEAD_BYTES = 512;

/** The newest events of one run, without a gap, and who waits for more. */
export interface Tail {
  /** Id of the oldest event that would be here: what is older lies in the database. */
  from: number;
  events: RunEvent[];
  bytes: number;
  ended: boolean;
  waiting: Set<() => void>;
}

export function newTail(from: number): Tail {
  return { from, events: [], bytes: 0, ended: false, waiting: new Set() };
}

/** Adds events, drops old ones when there are too many, and wakes who waits. */
export function extend(tail: Tail, first: number, events: readonly NewEvent[]): void {
  for (const [index, event] of events.entries()) {
    tail.events.push({ id: first + index, event: event.event, data: event.data });
    tail.bytes += event.data.length;
  }
  trim(tail);
  const woken = [...tail.waiting];
  tail.waiting.clear();
  for (const wake of woken) wake();
}

/** What the tail holds above `after`; undefined when the answer lies (also) further back, in the database. */
export function newerThan(tail: Tail | undefined, after: number): RunEvent[] | undefined {
  if (!tail || after < tail.from - 1) return undefined;
  return tail.events.slice(after - tail.from + 1);
}

/** Drops the older half once a tail is too large, so that the cost of dropping is spread over many appends. */
function trim(tail: Tail): void {
  if (tail.bytes <= TAIL_BYTES) return;
  let drop = 0;
  let bytes = tail.bytes;
  while (drop < tail.events.length - 1 && bytes > TAIL_BYTES / 2) {
    bytes -= tail.events[drop]?.data.length ?? 0;
    drop++;
  }
  tail.events = tail.events.slice(drop);
  tail.from += drop;
  tail.bytes = bytes;
}

/** Forgets the tails of ended runs, oldest first, when they hold too much together. */
export function endedTails(tails: Map<string, Tail>): { add(runId: string, bytes: number): void } {
  /** Insertion order is age. */
  const sizes = new Map<string, number>();
  let total = 0;
  return {
    add(runId, bytes) {
      sizes.set(runId, bytes + OVERHEAD_BYTES);
      total += bytes + OVERHEAD_BYTES;
      for (const [oldest, size] of sizes) {
        if (total <= ENDED_BYTES) break;
        sizes.delete(oldest);
        tails.delete(oldest);
        total -= size;
      }
    },
  };
}

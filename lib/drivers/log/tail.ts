import type { NewEvent, RunEvent } from "../../protocol/stream.ts";

/** The most bytes of a run's newest events in memory; older ones are read from the database. */
const TAIL_BYTES = 256 * 1024;
/** The most bytes kept of ended runs, for followers that have yet to read the last events. */
const ENDED_BYTES = 16 * 1024 * 1024;
/** The memory that a tail takes in addition to its events. */
const OVERHEAD_BYTES = 512;

/** The newest events of one run, without a gap, and the followers that wait for more. */
export interface Tail {
  /** Id of the first event in `events`, or of the next event when there is none. Older ones are in the database. */
  from: number;
  events: RunEvent[];
  bytes: number;
  ended: boolean;
  /** True if all events are also in the database. Otherwise events are stored only to free memory. */
  readonly stored: boolean;
  /** Fencing token of the newest claim. */
  token: number;
  /** Time of the first event with a piece of a message, in ms since the epoch. */
  firstToken: number | undefined;
  /** Pending write of older events, if any. */
  spilling: Promise<void> | undefined;
  waiting: Set<() => void>;
  /** The number of current readers. A tail with readers is not evicted. */
  readers: number;
}

export function newTail(from: number, stored: boolean): Tail {
  return {
    from,
    events: [],
    bytes: 0,
    ended: false,
    stored,
    token: 0,
    firstToken: undefined,
    spilling: undefined,
    waiting: new Set(),
    readers: 0,
  };
}

/** Returns the id of the newest event, or `from - 1` when there is none. */
export function newestOf(tail: Tail): number {
  return tail.from + tail.events.length - 1;
}

/** Appends events with the next ids and wakes waiting followers. */
export function extend(tail: Tail, events: readonly NewEvent[]): void {
  const first = newestOf(tail) + 1;
  for (const [index, event] of events.entries()) {
    tail.events.push({ id: first + index, event: event.event, data: event.data });
    tail.bytes += event.data.length;
  }
  const woken = [...tail.waiting];
  tail.waiting.clear();
  for (const wake of woken) wake();
}

/**
 * Makes the next event of a tail the one with this id. If some are missing before it, the tail begins there: a write whose answer
 * was lost may have stored them.
 */
export function align(tail: Tail, next: number): void {
  if (next === newestOf(tail) + 1) return;
  tail.events = [];
  tail.bytes = 0;
  tail.from = next;
}

/** Returns the events above `after`, or undefined when some of them may be only in the database. */
export function newerThan(tail: Tail | undefined, after: number): RunEvent[] | undefined {
  if (!tail || after < tail.from - 1) return undefined;
  return tail.events.slice(after - tail.from + 1);
}

/** Returns the older half of a tail that is too large, so that the cost of dropping is spread over many appends. */
export function surplusOf(tail: Tail): RunEvent[] {
  if (tail.bytes <= TAIL_BYTES) return [];
  let count = 0;
  let bytes = tail.bytes;
  while (count < tail.events.length - 1 && bytes > TAIL_BYTES / 2) {
    bytes -= tail.events[count]?.data.length ?? 0;
    count++;
  }
  return tail.events.slice(0, count);
}

/** Removes the oldest events, which are in the database, from memory. */
export function dropOldest(tail: Tail, events: readonly RunEvent[]): void {
  tail.events = tail.events.slice(events.length);
  tail.from += events.length;
  for (const { data } of events) tail.bytes -= data.length;
}

/** Evicts tails of ended runs without readers, the oldest first, when they take too much memory together. */
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
        if ((tails.get(oldest)?.readers ?? 0) > 0) continue;
        sizes.delete(oldest);
        tails.delete(oldest);
        total -= size;
      }
    },
  };
}

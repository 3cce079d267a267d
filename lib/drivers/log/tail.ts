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
  /** What is here also lies in the database. When not, it goes there only to make room. */
  readonly stored: boolean;
  /** Of the newest claim. */
  token: number;
  /** Until older events are stored. */
  spilling: Promise<void> | undefined;
  waiting: Set<() => void>;
  /** How many read this run now: as long as there are any, it is not forgotten. */
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
    spilling: undefined,
    waiting: new Set(),
    readers: 0,
  };
}

/** Id of the newest event, one less than `from` when there is none. */
export function newestOf(tail: Tail): number {
  return tail.from + tail.events.length - 1;
}

/** Adds events with the ids that come next, and wakes who waits. */
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

/** What the tail holds above `after`; undefined when the answer lies (also) further back, in the database. */
export function newerThan(tail: Tail | undefined, after: number): RunEvent[] | undefined {
  if (!tail || after < tail.from - 1) return undefined;
  return tail.events.slice(after - tail.from + 1);
}

/** The older half of a tail that is too large, so that the cost of dropping is spread over many appends. */
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

/** Forgets the oldest events, which lie in the database. */
export function dropOldest(tail: Tail, events: readonly RunEvent[]): void {
  tail.events = tail.events.slice(events.length);
  tail.from += events.length;
  for (const { data } of events) tail.bytes -= data.length;
}

/** Forgets the tails of ended runs that nobody reads, oldest first, when they hold too much together. */
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

import type { ParsedEvent } from "../../rules/threads/transcript.ts";

/** The newest events of a run as they arrived. */
export interface RecentEvents {
  readonly events: readonly ParsedEvent[];
  /** The number of older events that were dropped. */
  readonly dropped: number;
  /** The length of the texts of all kept events. */
  readonly size: number;
}

export const NO_EVENTS: RecentEvents = { events: [], dropped: 0, size: 0 };

const MOST_EVENTS = 5_000;
const MOST_CHARACTERS = 16_000_000;

/** Adds events and drops the oldest ones beyond the bounds. The newest event is always kept. */
export function addEvents(before: RecentEvents, added: readonly ParsedEvent[]): RecentEvents {
  if (added.length === 0) return before;
  const events = [...before.events, ...added];
  let size = before.size + added.reduce((sum, one) => sum + (one.size ?? 0), 0);
  let first = 0;
  while (first < events.length - 1 && (events.length - first > MOST_EVENTS || size > MOST_CHARACTERS)) {
    size -= events[first]?.size ?? 0;
    first++;
  }
  return { events: first === 0 ? events : events.slice(first), dropped: before.dropped + first, size };
}

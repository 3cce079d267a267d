/** The newest events of a run, as many as fit into a bounded memory. */
import type { ParsedEvent } from "../rules/threads/transcript.ts";

const MOST_EVENTS = 5_000;
/** Characters of JSON, about. */
const MOST_CHARS = 20_000_000;

export interface EventList {
  readonly events: readonly ParsedEvent[];
  /** The number of older events that were dropped. */
  readonly dropped: number;
}

/** Collects events and reports them in batches: `schedule` calls its argument once, a little later. */
export function createEventList(onChange: (list: EventList) => void, schedule: (report: () => void) => void) {
  let events: { event: ParsedEvent; chars: number }[] = [];
  let chars = 0;
  let dropped = 0;
  let isScheduled = false;

  function report(): void {
    isScheduled = false;
    onChange({ events: events.map(({ event }) => event), dropped });
  }

  return {
    add(event: ParsedEvent): void {
      const size = sizeOf(event.data);
      events.push({ event, chars: size });
      chars += size;
      if (events.length > MOST_EVENTS || chars > MOST_CHARS) drop();
      if (isScheduled) return;
      isScheduled = true;
      schedule(report);
    },
  };

  /** Drops the oldest events, a tenth more than necessary, so that it is rarely done. */
  function drop(): void {
    let at = 0;
    while (at < events.length - 1 && (events.length - at > MOST_EVENTS * 0.9 || chars > MOST_CHARS * 0.9)) {
      chars -= events[at]?.chars ?? 0;
      at++;
    }
    events = events.slice(at);
    dropped += at;
  }
}

/** Deeper members of a value are not counted. */
const DEEPEST = 100;

/** Estimates the size of a value by its texts and members. */
function sizeOf(value: unknown, depth = 0): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return 8;
  let size = 16;
  for (const member of Object.values(value)) size += 8 + sizeOf(member, depth + 1);
  return size;
}

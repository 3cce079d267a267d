/** Messages about the events of a run, from the server that executes it to the followers on others. */
import type { NewEvent, RunEvent } from "../../protocol/stream.ts";
import { decodeBatch, encodeBatch } from "../sql/batch.ts";

/** Larger batches are read from the database, in characters. */
const MOST_CHARS = 64 * 1024;
/** Says that there is something to look for in the database. */
const LOOK = "look";

/** New events, or the ids of events that are too large for a message, or nothing that is known. */
export type RunMessage = { first: number; events: RunEvent[] } | { first: number; count: number } | { look: true };

export function eventsMessage(first: number, events: readonly NewEvent[]): string {
  const size = events.reduce((sum, { data }) => sum + data.length, 0);
  return size > MOST_CHARS ? `${first} ${events.length}` : `${first}\n${encodeBatch(events)}`;
}

export const lookMessage = (): string => LOOK;

/** Inverts the functions above. Anything else is a reason to look. */
export function parseRunMessage(text: string): RunMessage {
  const [, first, count, lines] = /^(\d+)(?: (\d+)$|\n([^]*)$)/.exec(text) ?? [];
  if (first === undefined) return { look: true };
  if (count !== undefined) return { first: Number(first), count: Number(count) };
  return { first: Number(first), events: decodeBatch(lines ?? "", Number(first)) };
}

/**
 * A server-sent event in the form that LangGraph clients read: one `event:` line, exactly one `data:` line, one `id:`
 * line, a blank line; every line ends in a single LF. Their parsers join several data lines without a newline, so a
 * payload must never be split.
 */
export interface SseEvent {
  event?: string;
  data: string;
  id?: string;
}

/**
 * A comment with one LF and no blank line, because older JavaScript clients turn a comment that is followed by a blank
 * line into an empty event.
 */
export const HEARTBEAT = ": heartbeat\n";

/** Interval of heartbeats. Clients set an idle timeout by the interval they observe, so all streams have the same. */
export const HEARTBEAT_MS = 5_000;

const LINE_END = /[\r\n]/g;

/** Replaces line ends by spaces, so that no string in `event`, `data` or `id` can start a new line. */
function oneLine(text: string): string {
  return text.includes("\n") || text.includes("\r") ? text.replace(LINE_END, " ") : text;
}

export function encodeSse({ event, data, id }: SseEvent): string {
  const name = event === undefined ? "" : `event: ${oneLine(event)}\n`;
  const number = id === undefined ? "" : `id: ${oneLine(id)}\n`;
  return `${name}data: ${oneLine(data)}\n${number}\n`;
}

/**
 * Server-sent events as LangGraph clients read them: one `event:` line, exactly one `data:` line, one `id:` line, a
 * blank line; every line ends in a single LF. Their parsers join several data lines without a newline, so a payload
 * must never be split.
 */
export interface SseEvent {
  event?: string;
  data: string;
  id?: string;
}

/**
 * A comment with one LF and no blank line: older JavaScript clients make an empty event of a comment that is followed
 * by a blank line.
 */
export const HEARTBEAT = ": heartbeat\n";

/** Clients arm an idle watchdog on the interval they observe, so it is the same for every stream. */
export const HEARTBEAT_MS = 5_000;

const LINE_END = /[\r\n]/g;

/** No string in `event`, `data` or `id` can start a line of its own: line ends become spaces. */
function oneLine(text: string): string {
  return text.includes("\n") || text.includes("\r") ? text.replace(LINE_END, " ") : text;
}

export function encodeSse({ event, data, id }: SseEvent): string {
  const name = event === undefined ? "" : `event: ${oneLine(event)}\n`;
  const number = id === undefined ? "" : `id: ${oneLine(id)}\n`;
  return `${name}data: ${oneLine(data)}\n${number}\n`;
}

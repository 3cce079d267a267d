import type { NewEvent, RunEvent } from "../../protocol/stream.ts";
import { fromJson } from "./json-column.ts";

/**
 * Events as they are stored: one a line, the name as a JSON string, a tab, the data. Neither JSON string nor JSON data
 * holds a raw tab or line end, so no event can look like two.
 */
export function encodeBatch(events: readonly NewEvent[]): string {
  return events.map(({ event, data }) => `${JSON.stringify(event)}\t${data}`).join("\n");
}

/** The inverse of `encodeBatch`; the first event has id `first`. */
export function decodeBatch(lines: string, first: number): RunEvent[] {
  return lines.split("\n").map((line, index) => {
    const tab = line.indexOf("\t");
    return { id: first + index, event: fromJson<string>(line.slice(0, tab)), data: line.slice(tab + 1) };
  });
}

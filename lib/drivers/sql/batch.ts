import type { NewEvent, RunEvent } from "../../protocol/stream.ts";
import { fromJson } from "./json-column.ts";

/**
 * Encodes events for storage, one per line: the name as a JSON string, a tab, the data. Neither part can contain a raw
 * tab or line end, so no event can be read as two.
 */
export function encodeBatch(events: readonly NewEvent[]): string {
  return events.map(({ event, data }) => `${JSON.stringify(event)}\t${data}`).join("\n");
}

/** Inverts `encodeBatch`; `first` is the id of the first event. */
export function decodeBatch(lines: string, first: number): RunEvent[] {
  return lines.split("\n").map((line, index) => {
    const tab = line.indexOf("\t");
    return { id: first + index, event: fromJson<string>(line.slice(0, tab)), data: line.slice(tab + 1) };
  });
}

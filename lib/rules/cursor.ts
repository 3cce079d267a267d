import { isUuid } from "./uuid.ts";

/** A place in a sorted list: that of the item with this time and this id. */
export interface ListPosition {
  /** Time in ISO 8601, in UTC with milliseconds. */
  readonly time: string;
  readonly id: string;
}

const NONE = { problem: "expected a cursor as x-pagination-cursor has returned it, or an empty text to begin" };
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Encodes a position in a list of this sort as a cursor, which is opaque to clients. */
export function encodeCursor(sort: string, { time, id }: ListPosition): string {
  const base64 = btoa(JSON.stringify([time, id, sort]));
  return base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Returns a cursor's position, or why it is none of this sort. */
export function decodeCursor(sort: string, cursor: string): ListPosition | { problem: string } {
  const [time, id, of] = partsOf(cursor);
  if (time === undefined || id === undefined || of === undefined || !TIME.test(time) || !isUuid(id)) return NONE;
  if (of !== sort) return { problem: `this cursor belongs to a list sorted by ${of}, not by ${sort}` };
  const position = { time, id };
  return encodeCursor(sort, position) === cursor ? position : NONE;
}

function partsOf(cursor: string): string[] {
  try {
    const parts: unknown = JSON.parse(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")));
    return Array.isArray(parts) && parts.length === 3 && parts.every((part) => typeof part === "string") ? parts : [];
  } catch {
    return [];
  }
}

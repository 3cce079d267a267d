import type { LogLine } from "../protocol/revisions.ts";
import { toneOf } from "../rules/revisions/build-lines.ts";

/** A page keeps this many lines. The oldest are dropped first. */
export const MOST_LINES = 100_000;

/** Adds lines before or after those that are there. The result is in order, and has each line once. */
export function withLines(before: readonly LogLine[], some: readonly LogLine[]): readonly LogLine[] {
  const first = before[0]?.id ?? Number.POSITIVE_INFINITY;
  const last = before.at(-1)?.id ?? Number.NEGATIVE_INFINITY;
  const earlier = before.length === 0 ? [] : some.filter((one) => one.id < first);
  const later = some.filter((one) => one.id > last);
  if (earlier.length === 0 && later.length === 0) return before;
  const all = [...earlier, ...before, ...later];
  // Somebody who scrolls back keeps the lines on the screen, so the newest lines are dropped then.
  if (all.length <= MOST_LINES) return all;
  return earlier.length > 0 ? all.slice(0, MOST_LINES) : all.slice(-MOST_LINES);
}

export interface LineFilter {
  text: string;
  /** Keeps lines of this stream. For `err` only errors are kept, because build tools print their progress there, too. */
  stream?: LogLine["stream"];
}

export function matching(lines: readonly LogLine[], { text, stream }: LineFilter): readonly LogLine[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "" && stream === undefined) return lines;
  return lines.filter(
    (line) =>
      (stream === undefined || (stream === "err" ? toneOf(line) === "error" : line.stream === stream)) &&
      (wanted === "" || line.text.toLowerCase().includes(wanted)),
  );
}

// oxlint-disable-next-line no-control-regex
const COLOURS = /\u001B\[[0-9;]*m/g;

/** Returns the text of a log file: one line each, with its time. */
export function asText(lines: readonly LogLine[]): string {
  return lines.map(({ at, step, text }) => `${at} ${step ? `${step} ` : ""}${text.replace(COLOURS, "")}\n`).join("");
}

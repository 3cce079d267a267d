import type { LogLine } from "../protocol/revisions.ts";
import { toneOf } from "../rules/revisions/build-lines.ts";

/** Lines that a page keeps; of more, the oldest go. */
export const MOST_LINES = 100_000;

/** Lines with those that came added: in order, each once, whether they come before or after what is there. */
export function withLines(before: readonly LogLine[], some: readonly LogLine[]): readonly LogLine[] {
  const first = before[0]?.id ?? Number.POSITIVE_INFINITY;
  const last = before.at(-1)?.id ?? Number.NEGATIVE_INFINITY;
  const earlier = before.length === 0 ? [] : some.filter((one) => one.id < first);
  const later = some.filter((one) => one.id > last);
  if (earlier.length === 0 && later.length === 0) return before;
  const all = [...earlier, ...before, ...later];
  // Whoever reads backwards keeps what they look at.
  if (all.length <= MOST_LINES) return all;
  return earlier.length > 0 ? all.slice(0, MOST_LINES) : all.slice(-MOST_LINES);
}

export interface LineFilter {
  text: string;
  /** Only lines of this stream; of `err` only the errors, as tools of a build tell their progress there as well. */
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

/** As a file: a line each, with its time. */
export function asText(lines: readonly LogLine[]): string {
  return lines.map(({ at, step, text }) => `${at} ${step ? `${step} ` : ""}${text.replace(COLOURS, "")}\n`).join("");
}

/** Lines of a build's log, as people read them: progress as one line that changes, and errors told from the rest. */
import type { LogLine } from "../../protocol/revisions.ts";
import { plain } from "../text/terminal-text.ts";

/**
 * Ticks, each with what stays the same while it goes on: git (`Receiving objects:  10% (1/10)`), package managers
 * (`Progress: resolved 1, reused 0`, `Downloading tiny@1.0.0: 1 MB/4 MB`).
 */
const TICKS = [
  /^(.{1,80}?):? +\d{1,3}(?:\.\d+)?%/,
  /^(Progress): resolved \d+, reused \d+/,
  /^(Downloading \S+): [\d.]+ [kMG]?B\/[\d.]+ [kMG]?B/,
];

/** Name of what a line tells the progress of; undefined for all other lines. */
function tickOf({ step, text }: LogLine): string | undefined {
  if (step === undefined || !/%|^Progress|^Downloading/.test(text)) return undefined;
  const shown = plain(text);
  for (const tick of TICKS) {
    const name = tick.exec(shown)?.[1];
    if (name !== undefined) return `${step} ${name}`;
  }
  return undefined;
}

/** Lets lines through as they come, but of ticks that follow each other only the last one of each name. */
export interface ProgressFold {
  /** Returns the lines that will not change any more. */
  add(line: LogLine): LogLine[];
  /** Lines that the next ones may still change. */
  pending(): readonly LogLine[];
}

export function createProgressFold(): ProgressFold {
  /** In the order in which they began. */
  const ticks = new Map<string, LogLine>();
  return {
    add(line) {
      const name = tickOf(line);
      if (name === undefined) {
        const done = [...ticks.values(), line];
        ticks.clear();
        return done;
      }
      // A line keeps its number while its text changes: it stays the same line for whoever looks at it.
      ticks.set(name, { ...line, id: ticks.get(name)?.id ?? line.id });
      return [];
    },
    pending: () => [...ticks.values()],
  };
}

/** All lines of a log, folded. */
export function foldProgress(lines: readonly LogLine[]): readonly LogLine[] {
  if (!lines.some((line) => tickOf(line) !== undefined)) return lines;
  const fold = createProgressFold();
  return [...lines.flatMap((line) => fold.add(line)), ...fold.pending()];
}

/** Words of an error among the many other lines of a program's error output, where builds tell their progress as well. */
const BAD = /\b(?:err(?:or)?!?|fatal|fail(?:ed|ure)?|not found|cannot|can't|couldn't|does not compile)\b/i;
/** How package managers begin an error on their ordinary output. */
const BEGINS_BAD = /^\s*(?:(?:npm )?error\b|ERR_[A-Z]|fatal:|➤ YN\d{4}: .*\b(?:not found|failed|error)\b)/i;
/** A finding of ours about the source. */
const FINDING = /^(error|warning) {2}/;

export type LineTone = "error" | "warning" | "ours" | "plain";

/** How a line is to be shown. */
export function toneOf({ stream, step, text }: Pick<LogLine, "stream" | "step" | "text">): LineTone {
  const shown = plain(text);
  if (stream === "us") {
    const level = FINDING.exec(shown)?.[1];
    return level === "error" || level === "warning" ? level : "ours";
  }
  if (stream === "err" && (step === undefined || BAD.test(shown))) return "error";
  return step !== undefined && BEGINS_BAD.test(shown) ? "error" : "plain";
}

/** Prepares the lines of a build's log for people: folds progress into one changing line, and marks errors. */
import type { LogLine } from "../../protocol/revisions.ts";
import { plain } from "../text/terminal-text.ts";

/**
 * Progress lines, each with its constant part: git (`Receiving objects: 10% (1/10)`), package managers (`Progress:
 * resolved 1, reused 0`, `Downloading tiny@1.0.0: 1 MB/4 MB`).
 */
const TICKS = [
  /^(.{1,80}?):? +\d{1,3}(?:\.\d+)?%/,
  /^(Progress): resolved \d+, reused \d+/,
  /^(Downloading \S+): [\d.]+ [kMG]?B\/[\d.]+ [kMG]?B/,
];

/** Returns the name of a line's progress; undefined for all other lines. */
function tickOf({ step, text }: LogLine): string | undefined {
  if (step === undefined || !/%|^Progress|^Downloading/.test(text)) return undefined;
  const shown = plain(text);
  for (const tick of TICKS) {
    const name = tick.exec(shown)?.[1];
    if (name !== undefined) return `${step} ${name}`;
  }
  return undefined;
}

/** Passes lines on as they arrive, except that only the last of consecutive progress lines of each name is passed. */
export interface ProgressFold {
  /** Adds a line, and returns the lines that will not change any more. */
  add(line: LogLine): LogLine[];
  /** Returns the lines that the next ones may still change. */
  pending(): readonly LogLine[];
}

export function createProgressFold(): ProgressFold {
  /** The last progress line of each name, in the order in which they began. */
  const ticks = new Map<string, LogLine>();
  return {
    add(line) {
      const name = tickOf(line);
      if (name === undefined) {
        const done = [...ticks.values(), line];
        ticks.clear();
        return done;
      }
      // The line keeps its number while its text changes, so that viewers see the same line.
      ticks.set(name, { ...line, id: ticks.get(name)?.id ?? line.id });
      return [];
    },
    pending: () => [...ticks.values()],
  };
}

export function foldProgress(lines: readonly LogLine[]): readonly LogLine[] {
  if (!lines.some((line) => tickOf(line) !== undefined)) return lines;
  const fold = createProgressFold();
  return [...lines.flatMap((line) => fold.add(line)), ...fold.pending()];
}

/** Matches words of an error in a program's error output, where builds also report their progress. */
const BAD = /\b(?:err(?:or)?!?|fatal|fail(?:ed|ure)?|not found|cannot|can't|couldn't|does not compile)\b/i;
/** Matches the beginning of errors that package managers print on standard output. */
const BEGINS_BAD = /^\s*(?:(?:npm )?error\b|ERR_[A-Z]|fatal:|➤ YN\d{4}: .*\b(?:not found|failed|error)\b)/i;
/** Matches one of the platform's own findings about the source. */
const FINDING = /^(error|warning) {2}/;

export type LineTone = "error" | "warning" | "ours" | "plain";

export function toneOf({ stream, step, text }: Pick<LogLine, "stream" | "step" | "text">): LineTone {
  const shown = plain(text);
  if (stream === "us") {
    const level = FINDING.exec(shown)?.[1];
    return level === "error" || level === "warning" ? level : "ours";
  }
  if (stream === "err" && (step === undefined || BAD.test(shown))) return "error";
  return step !== undefined && BEGINS_BAD.test(shown) ? "error" : "plain";
}

/** What a program prints, as lines of a log: as long as people read, and no more than they would. */
import { withColours } from "./terminal-text.ts";

/** Longest line that is kept. */
export const LINE_CHARS = 4_000;

/** Splits text that comes in pieces. What a carriage return wrote over is gone, as on a terminal. */
export interface LineSplitter {
  /** The lines that this piece completes. */
  write(piece: string): string[];
  /** What stands so far on a line that writes over itself, such as a progress bar. */
  progress(): string | undefined;
  /** The last line, if it was not ended. */
  end(): string[];
}

export function createLineSplitter(): LineSplitter {
  let line = "";
  let cut = false;
  let returned = false;
  let rewritten = false;

  const add = (text: string): void => {
    if (returned) {
      line = "";
      cut = false;
      rewritten = true;
    }
    returned = false;
    cut ||= line.length + text.length > LINE_CHARS;
    line += text.slice(0, LINE_CHARS - line.length);
  };
  const shown = (): string => `${withColours(line)}${cut ? "…" : ""}`;
  const take = (): string => {
    const text = shown();
    line = "";
    cut = false;
    returned = false;
    rewritten = false;
    return text;
  };

  return {
    write(piece) {
      const lines: string[] = [];
      for (const part of piece.split(/(\r|\n)/)) {
        if (part === "\n") lines.push(take());
        else if (part === "\r") returned = true;
        else if (part !== "") add(part);
      }
      return lines;
    },
    progress: () => (rewritten && line !== "" ? shown() : undefined),
    end: () => (line === "" ? [] : [take()]),
  };
}

export interface LineLimits {
  /** Lines that may come at once. */
  burst: number;
  /** Lines a second after that. */
  perSecond: number;
  /** Lines in all, but for the last ones. */
  total: number;
  /** How many of the last lines are kept for the end. */
  last: number;
}

const LIMITS: LineLimits = { burst: 1_000, perSecond: 100, total: 20_000, last: 200 };

/** Lets lines through as they come, until there are too many: then some, and always the last ones. */
export interface LineBudget<Line> {
  /** What is to be told now. `nowMs` never goes back. */
  add(line: Line, nowMs: number): Line[];
  /** What is left to tell. */
  end(): Line[];
}

/** `gap` says how many lines are left out at its place. */
export function createLineBudget<Line>(gap: (lines: number) => Line, limits: LineLimits = LIMITS): LineBudget<Line> {
  const { burst, perSecond, total, last } = limits;
  let waiting: Line[] = [];
  let dropped = 0;
  let told = 0;
  let credit = burst;
  let at: number | undefined;

  const next = (): Line[] => {
    const gone = dropped;
    dropped = 0;
    const lines = waiting.splice(0, 1);
    return gone > 0 ? [gap(gone), ...lines] : lines;
  };

  return {
    add(line, nowMs) {
      credit = Math.min(burst, credit + ((nowMs - (at ?? nowMs)) * perSecond) / 1000);
      at = nowMs;
      waiting.push(line);
      const lines: Line[] = [];
      while (waiting.length > 0 && credit >= 1 && told < total) {
        credit -= 1;
        told += 1;
        lines.push(...next());
      }
      if (waiting.length > last) {
        waiting.shift();
        dropped += 1;
      }
      return lines;
    },
    end() {
      const lines = dropped > 0 ? [gap(dropped), ...waiting] : waiting;
      waiting = [];
      dropped = 0;
      return lines;
    },
  };
}

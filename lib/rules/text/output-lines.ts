/** Splits a program's output into log lines, and limits their length and number. */
import { withColours } from "./terminal-text.ts";

/** Longest line that is kept. */
export const LINE_CHARS = 4_000;

/** Splits text that arrives in chunks. Text that a carriage return overwrote is dropped, as on a terminal. */
export interface LineSplitter {
  /** Returns the lines that this chunk completes. */
  write(piece: string): string[];
  /** Returns the current text of a line that overwrites itself, such as a progress bar. */
  progress(): string | undefined;
  /** Returns the last line, if it is not ended. */
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
  /** Lines that may pass at once. */
  burst: number;
  /** Lines a second after that. */
  perSecond: number;
  /** Lines in total, except the last ones. */
  total: number;
  /** The number of last lines that are kept for the end. */
  last: number;
}

const LIMITS: LineLimits = { burst: 1_000, perSecond: 100, total: 20_000, last: 200 };

/** Passes lines on as they arrive. Above its limits it passes only some, and always the last ones. */
export interface LineBudget<Line> {
  /** Adds a line, and returns the lines to pass on now. `nowMs` never goes back. */
  add(line: Line, nowMs: number): Line[];
  /** Returns the remaining lines. */
  end(): Line[];
}

/** `gap` builds the line that stands for omitted ones. */
export function createLineBudget<Line>(gap: (lines: number) => Line, limits: LineLimits = LIMITS): LineBudget<Line> {
  const { burst, perSecond, total, last } = limits;
  let waiting: Line[] = [];
  let dropped = 0;
  let passed = 0;
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
      while (waiting.length > 0 && credit >= 1 && passed < total) {
        credit -= 1;
        passed += 1;
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

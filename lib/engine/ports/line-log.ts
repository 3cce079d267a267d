import type { LogLine, NewLine } from "../../protocol/revisions.ts";

/**
 * Numbered lines of build logs and server logs: append-only, read from any number, followed live.
 * Implemented in lib/drivers/sql/platform/lines.ts.
 */
export interface LineLog {
  /**
   * Numbers the lines in the order of the calls, and stores them soon, many at a time. When a log takes more than
   * `maxBytes` (16 MB when left out), its oldest lines are deleted.
   */
  append(log: string, lines: readonly NewLine[], maxBytes?: number): void;
  /** Resolves when all appended lines are stored. */
  flush(): Promise<void>;
  /** Returns at most `limit` lines with an id above `after`, in order. */
  read(log: string, after: number, limit: number): Promise<LogLine[]>;
  /** Returns the last `limit` lines, in order. */
  tail(log: string, limit: number): Promise<LogLine[]>;
  /** Resolves when there may be a line above `after`, or when aborted. */
  changed(log: string, after: number, signal: AbortSignal): Promise<void>;
  delete(log: string): Promise<void>;
  /**
   * Deletes lines written before a time (ms since the epoch), and of every log all but about the newest `most`. Numbers
   * stay as they are.
   */
  sweep(limits: { writtenBefore: number; most: number }): Promise<void>;
}

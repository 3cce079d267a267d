/** How much a program may say in a log that never ends: some at once, then so much a second; the rest is counted. */

export interface LogLimits {
  /** Lines that may come at once, and after that lines a second. */
  lines: number;
  linesPerSecond: number;
  /** The same for characters. */
  chars: number;
  charsPerSecond: number;
}

/** 1 MB a minute goes into the database and to the terminal, however much is printed. */
const LIMITS: LogLimits = { lines: 1_000, linesPerSecond: 100, chars: 1024 * 1024, charsPerSecond: 16 * 1024 };

export interface LogQuota {
  /**
   * Lets a line through, and answers how many were left out just before it; undefined when this one is left out too.
   * `nowMs` may go back: then nothing is earned.
   */
  admit(chars: number, nowMs: number): number | undefined;
  /** Counts lines that are left out unread: until `admit` is asked at a later time it would say no. */
  leaveOut(lines: number): void;
  /** Lines that were left out and not told yet; undefined while lines are still left out. */
  settle(nowMs: number): number | undefined;
}

/**
 * Once it is closed it opens again when a second's worth may pass: a flood is told as some lines together, then one gap,
 * rather than as lines and gaps in turn.
 */
export function createLogQuota(limits: LogLimits = LIMITS): LogQuota {
  let { lines, chars } = limits;
  let at: number | undefined;
  let closed = false;
  let leftOut = 0;

  const earn = (nowMs: number): void => {
    const seconds = Math.max(0, nowMs - (at ?? nowMs)) / 1000;
    at = Math.max(at ?? nowMs, nowMs);
    lines = Math.min(limits.lines, lines + seconds * limits.linesPerSecond);
    chars = Math.min(limits.chars, chars + seconds * limits.charsPerSecond);
    if (
      lines >= Math.min(limits.lines, limits.linesPerSecond) &&
      chars >= Math.min(limits.chars, limits.charsPerSecond)
    )
      closed = false;
  };
  const take = (): number => {
    const before = leftOut;
    leftOut = 0;
    return before;
  };

  return {
    admit(length, nowMs) {
      earn(nowMs);
      closed ||= lines < 1 || chars < 1;
      if (closed) {
        leftOut++;
        return undefined;
      }
      lines -= 1;
      // A long line may take more than there is: the next ones wait for it.
      chars -= length;
      return take();
    },
    leaveOut(more) {
      leftOut += more;
    },
    settle(nowMs) {
      earn(nowMs);
      return closed ? undefined : take();
    },
  };
}

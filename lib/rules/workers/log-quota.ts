/** Limits the log output of a program that never ends: a burst, then a rate per second. The rest is counted. */

export interface LogLimits {
  /** Lines that may pass at once, and after that lines a second. */
  lines: number;
  linesPerSecond: number;
  /** The same for characters. */
  chars: number;
  charsPerSecond: number;
}

/** At most 1 MB a minute goes into the database and to the terminal, however much is printed. */
const LIMITS: LogLimits = { lines: 1_000, linesPerSecond: 100, chars: 1024 * 1024, charsPerSecond: 16 * 1024 };

export interface LogQuota {
  /**
   * Passes a line and returns how many were left out just before it; undefined when this one is left out too. `nowMs`
   * may go back: then no credit is added.
   */
  admit(chars: number, nowMs: number): number | undefined;
  /** Counts lines that are left out unread, because `admit` would refuse them until its next call at a later time. */
  leaveOut(lines: number): void;
  /** Returns the number of lines left out and not reported yet; undefined while lines are still left out. */
  settle(nowMs: number): number | undefined;
}

/**
 * Once closed, it opens again when a second's worth may pass. A flood becomes some lines and then one gap, rather than
 * lines and gaps in turn.
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
      // A long line may make the credit negative; the next ones wait for it.
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

import type { Clock } from "../engine/ports/ports.ts";

/** A clock that can be corrected. */
export interface CorrectedClock extends Clock {
  /** Sets the clock to the time of another one, which was `from` to `to` (ms since the epoch) just now. */
  correct(from: number, to: number): void;
}

/** Returns a clock that shows this machine's time until it is corrected. */
export function createClock(): CorrectedClock {
  let ahead = 0;
  const now = (): number => Date.now() + ahead;
  return {
    now,
    correct(from, to) {
      const time = now();
      if (time < from || time > to) ahead += Math.round((from + to) / 2) - time;
    },
  };
}

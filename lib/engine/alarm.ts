import type { Clock } from "./ports/ports.ts";

/** Longest that a timer can be set for. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Rings once at the earliest of the times it was set to. */
export interface Alarm {
  /** `due` in ms since the epoch. */
  set(due: number): void;
  stop(): void;
}

/** What is later than a timer can wait rings early: who hears it looks at the clock. */
export function createAlarm(clock: Clock, ring: () => void): Alarm {
  let next: { due: number; timer: NodeJS.Timeout } | undefined;
  return {
    set(due) {
      if (next && next.due <= due) return;
      clearTimeout(next?.timer);
      const wait = Math.min(Math.max(0, due - clock.now()), MAX_TIMER_MS);
      const timer = setTimeout(() => {
        next = undefined;
        ring();
      }, wait);
      timer.unref();
      next = { due, timer };
    },
    stop: () => clearTimeout(next?.timer),
  };
}

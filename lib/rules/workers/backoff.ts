/** Delays before the first, second, ... restart in a row; the first is short because most crashes are one bad run. */
const RESTART_DELAYS_MS = [100, 500, 2_000, 8_000, 30_000] as const;

/** Crashes within this window count as a row; a worker that lived longer starts anew. */
const CRASH_WINDOW_MS = 5 * 60_000;

/** After this many crashes in a row the worker counts as failed; it is still tried again, at this pace. */
const FAILED_RETRY_MS = 60_000;

export interface Restart {
  delayMs: number;
  /** Crashes in the window, this one included. */
  attempt: number;
  /** Too many: say so, rather than `restarting`. */
  gaveUp: boolean;
}

/** What to do after a crash at `now`, given the times of all crashes so far (this one last), in ms. Total. */
export function decideRestart(crashes: readonly number[], now: number): Restart {
  const attempt = Math.max(1, crashes.filter((at) => now - at < CRASH_WINDOW_MS).length);
  const delay = RESTART_DELAYS_MS[attempt - 1];
  return delay === undefined
    ? { delayMs: FAILED_RETRY_MS, attempt, gaveUp: true }
    : { delayMs: delay, attempt, gaveUp: false };
}

/** Delays before each restart in a row. The first is short because most crashes are caused by one bad run. */
const RESTART_DELAYS_MS = [100, 500, 2_000, 8_000, 30_000] as const;

/** Crashes within this window form a row; a worker that lived longer starts a new one. */
const CRASH_WINDOW_MS = 5 * 60_000;

/** The delay of restarts after a longer row. The worker then counts as failed. */
const FAILED_RETRY_MS = 60_000;

export interface Restart {
  delayMs: number;
  /** The number of crashes in the window, this one included. */
  attempt: number;
  /** Set after too many crashes: the status is then `failed`, not `crashed`. */
  gaveUp: boolean;
}

/** Decides how to restart after a crash at `now`, given the times of all crashes (this one last), in ms. Total. */
export function decideRestart(crashes: readonly number[], now: number): Restart {
  const attempt = Math.max(1, crashes.filter((at) => now - at < CRASH_WINDOW_MS).length);
  const delay = RESTART_DELAYS_MS[attempt - 1];
  return delay === undefined
    ? { delayMs: FAILED_RETRY_MS, attempt, gaveUp: true }
    : { delayMs: delay, attempt, gaveUp: false };
}

import type { Deployment, Platform } from "../ports/ports.ts";
import { sweepThreads } from "../threads/threads.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Days that failed runs are kept, longer than others, so that their cause can be found. */
const FAILED_DAYS = 7;
/** The number of settled notifications that are kept; each is kept for a day at most. */
const MOST_SETTLED = 1000;

interface Job {
  /** Least minutes between two calls; 0 when undefined or null. */
  readonly everyMinutes: () => number | null | undefined;
  readonly work: (now: number) => Promise<unknown>;
  /** Start of the last call, in ms since the epoch. */
  last: number;
}

/**
 * Returns a function that deletes what is out of date, at most as often as the configuration says. `keptMs` is how long
 * the events of a run can be read after its end. It never rejects.
 */
export function createSweep(platform: Platform, deployment: Deployment, keptMs: number): () => Promise<void> {
  const jobs = [
    job(
      () => undefined,
      (now) => deployment.runs.sweep(now - keptMs, now - FAILED_DAYS * DAY_MS),
    ),
    job(
      () => deployment.config?.checkpointer?.ttl?.sweep_interval_minutes,
      () => sweepThreads(platform, deployment),
    ),
    job(
      () => deployment.config?.store?.ttl?.sweep_interval_minutes,
      (now) => deployment.items.sweep(now),
    ),
    job(
      () => 1,
      (now) => deployment.notifications.sweep(now - DAY_MS, MOST_SETTLED),
    ),
  ];
  return async () => {
    const now = platform.clock.now();
    for (const one of jobs) {
      if (now - one.last < (one.everyMinutes() ?? 0) * MINUTE_MS) continue;
      one.last = now;
      try {
        await one.work(now);
      } catch (error) {
        platform.logger.error("outdated rows could not be deleted", error);
      }
    }
  };
}

function job(everyMinutes: Job["everyMinutes"], work: Job["work"]): Job {
  return { everyMinutes, work, last: -Infinity };
}

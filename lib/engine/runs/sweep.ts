import type { Deployment, Platform } from "../ports/ports.ts";
import { sweepThreads } from "../threads/threads.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Days that failed runs are kept, longer than others, so that their cause can be found. */
const FAILED_DAYS = 7;
/** The number of settled notifications that are kept; each is kept for a day at most. */
const MOST_SETTLED = 1000;

/** Work, and the least minutes between two calls of it; 0 when undefined or null. */
type SweepJob = [everyMinutes: () => number | null | undefined, work: (now: number) => Promise<unknown>];

/**
 * Returns a function that deletes what is out of date, at most as often as the configuration says. `keptMs` is how long
 * the events of a run can be read after its end. It never rejects.
 */
export function createSweep(platform: Platform, deployment: Deployment, keptMs: number): () => Promise<void> {
  const jobs: SweepJob[] = [
    [() => 0, (now) => deployment.runs.sweep(now - keptMs, now - FAILED_DAYS * DAY_MS)],
    [() => deployment.config?.checkpointer?.ttl?.sweep_interval_minutes, () => sweepThreads(platform, deployment)],
    [() => deployment.config?.store?.ttl?.sweep_interval_minutes, (now) => deployment.items.sweep(now)],
    [() => 1, (now) => deployment.notifications.sweep(now - DAY_MS, MOST_SETTLED)],
  ];
  /** Start of the last call of each, in ms since the epoch. */
  const started = new Map<SweepJob, number>();
  return async () => {
    const now = platform.clock.now();
    for (const job of jobs) {
      const [everyMinutes, work] = job;
      if (now - (started.get(job) ?? -Infinity) < (everyMinutes() ?? 0) * MINUTE_MS) continue;
      started.set(job, now);
      try {
        await work(now);
      } catch (error) {
        platform.logger.error("outdated rows could not be deleted", error);
      }
    }
  };
}

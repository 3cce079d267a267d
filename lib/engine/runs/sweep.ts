import type { Deployment, Platform } from "../ports/ports.ts";
import { sweepThreads } from "../threads/threads.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Failed runs are kept longer: somebody will ask why. */
const FAILED_DAYS = 7;
/** Letters that are done can be looked at for a day, the newest so many of them. */
const MOST_SETTLED = 1000;

interface Job {
  /** Not more often than this. */
  readonly everyMinutes: () => number | null | undefined;
  readonly work: (now: number) => Promise<unknown>;
  /** When it was last begun, in ms since the epoch. */
  last: number;
}

/**
 * Deletes what nobody is promised any more, each time it is called, as often as the configuration lets it. `keptMs` is how
 * long the events of a run can be asked for after its end. Never rejects.
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
        platform.logger.error("what is out of date could not be deleted", error);
      }
    }
  };
}

function job(everyMinutes: Job["everyMinutes"], work: Job["work"]): Job {
  return { everyMinutes, work, last: -Infinity };
}

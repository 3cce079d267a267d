import type { Deployment, Platform } from "./ports.ts";
import { sweepThreads } from "./threads.ts";

const DAY_MS = 86_400_000;
/** Failed runs are kept longer: somebody will ask why. */
const FAILED_DAYS = 7;

/** Deletes what nobody is promised any more. `keptMs` is how long the events of a run can be asked for after its end. */
export async function sweep(platform: Platform, deployment: Deployment, keptMs: number): Promise<void> {
  const now = platform.clock.now();
  try {
    await deployment.runs.sweep(now - keptMs, now - FAILED_DAYS * DAY_MS);
    await sweepThreads(platform, deployment);
    await deployment.items.sweep(now);
  } catch (error) {
    platform.logger.error("what is out of date could not be deleted", error);
  }
}

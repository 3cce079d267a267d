import type { Queue } from "../protocol/control.ts";
import type { Platform } from "./ports/ports.ts";

/** Counts the runs of all deployments that are due or under way, whichever servers execute them. */
export async function readQueue(platform: Platform): Promise<Queue> {
  const now = platform.clock.now();
  const all = await Promise.all(platform.list().map((deployment) => deployment.runs.queue(now)));
  const total = (count: (one: (typeof all)[number]) => number): number => all.reduce((sum, one) => sum + count(one), 0);
  const since = all.flatMap(({ oldest }) => (oldest === undefined ? [] : [oldest]));
  return {
    pending: total((one) => one.pending),
    running: total((one) => one.running),
    oldest_pending_seconds: since.length === 0 ? null : Math.max(0, Math.floor((now - Math.min(...since)) / 1000)),
  };
}

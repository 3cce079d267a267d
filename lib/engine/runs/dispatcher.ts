import { createLoop, createPool, type Loop, withPool } from "../loop.ts";
import { execute, metadataOf } from "./execute.ts";
import type { Clock, Deployment, Logger } from "../ports/ports.ts";

export interface Dispatcher extends Loop {
  /** Returns whether all slots were taken when it last looked. */
  isFull(): boolean;
}

/**
 * Passes pending runs to the worker, as many at a time as its processes have slots. It sleeps until `wake`: a run was
 * stored or has ended, a process is ready, or a delayed run falls due.
 */
export function createDispatcher(
  deployment: Deployment,
  { slots, clock, logger }: { slots: number; clock: Clock; logger: Logger },
): Dispatcher {
  /** Set when all slots were taken. Then the end of a run wakes the loop. */
  let full = false;
  const pool = createPool<string>(
    () => full && loop.wake(),
    (error) => logger.error("run could not be executed", error),
  );
  const claim = async (): Promise<void> => {
    if (deployment.lease?.mayClaim() === false || deployment.lifecycle.isBehind === true) {
      deployment.peers.wakeOne();
      return;
    }
    const worker = deployment.worker.state();
    const { status } = worker;
    // While a worker restarts, runs wait. A worker that was given up ends them with the reason; one asleep is woken.
    if (status !== "ready" && status !== "asleep" && status !== "failed") return;
    const processes = worker.status === "ready" ? (worker.processes?.ready ?? 1) : 1;
    const free = slots * processes - pool.size;
    full = free <= 0;
    if (full) {
      deployment.peers.wakeOne();
      return;
    }
    const runs = await deployment.log.claim(free, metadataOf);
    for (const run of runs) pool.begin(run.run_id, execute(deployment, run));
    if (deployment.lease) for (const run of runs) deployment.taskFeeds.openOf(run);
    // There may be more, and a slot may have become free meanwhile.
    if (runs.length === free) loop.wake();
  };
  const loop = createLoop(
    clock,
    async (byAlarm) => {
      const now = clock.now();
      await claim();
      return byAlarm ? await deployment.runs.nextDue(now) : undefined;
    },
    (error) => logger.error("runs could not be claimed", error),
  );
  return { ...withPool(loop, pool), isFull: () => full };
}

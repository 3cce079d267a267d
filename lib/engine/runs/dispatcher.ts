import { createAlarm } from "../alarm.ts";
import { execute, metadataOf } from "./execute.ts";
import type { Clock, Deployment, Logger } from "../ports/ports.ts";

/**
 * Hands pending runs to the worker, as many at a time as there are slots. It sleeps until `wake` says that there may be
 * something to claim: a run was stored, one ended, the worker came up, or a delayed run fell due.
 */
export interface Dispatcher {
  /** At once, or at a time (ms since the epoch) when a delayed run falls due. */
  wake(due?: number): void;
  /** Takes no more runs; resolves when those under way have ended. */
  drain(): Promise<void>;
}

export function createDispatcher(
  deployment: Deployment,
  { slots, clock, logger }: { slots: number; clock: Clock; logger: Logger },
): Dispatcher {
  const underway = new Set<Promise<void>>();
  let ticking: Promise<void> | undefined;
  let again = false;
  /** There was no slot for more: what still waits is looked at when one falls free. */
  let full = false;
  let draining = false;

  const start = (work: Promise<void>): void => {
    underway.add(work);
    void work
      .catch((error: unknown) => logger.error("run could not be executed", error))
      .finally(() => {
        underway.delete(work);
        if (full) wake();
      });
  };

  const tick = async (): Promise<void> => {
    const { status } = deployment.worker.state();
    // A worker that restarts keeps runs waiting; one that was given up ends them with the reason, one asleep wakes up.
    while (!draining && (status === "ready" || status === "asleep" || status === "failed")) {
      const free = slots - underway.size;
      full = free <= 0;
      if (full) return;
      const runs = await deployment.log.claim(free, metadataOf);
      for (const run of runs) start(execute(deployment, run));
      if (runs.length < free) return;
    }
  };

  const wake = (): void => {
    if (ticking) {
      again = true;
      return;
    }
    again = false;
    ticking = tick()
      .catch((error: unknown) => logger.error("runs could not be claimed", error))
      .finally(() => {
        ticking = undefined;
        if (again) wake();
      });
  };

  const alarm = createAlarm(clock, () => {
    wake();
    void deployment.runs
      .nextDue(clock.now())
      .then((next) => next !== undefined && !draining && alarm.set(next))
      .catch((error: unknown) => logger.error("delayed runs could not be read", error));
  });

  return {
    wake: (due) => (due === undefined || due <= clock.now() ? wake() : alarm.set(due)),
    async drain() {
      draining = true;
      alarm.stop();
      await ticking;
      await Promise.allSettled(underway);
    },
  };
}

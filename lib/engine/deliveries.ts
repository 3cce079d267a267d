import { decideClaim } from "../rules/webhooks/receivers.ts";
import { createLoop, createPool, type Loop, withPool } from "./loop.ts";
import type { Platform } from "./ports/ports.ts";

/** The lease of a delivery, longer than any attempt. A process that has not reported by then is gone. */
const LEASE_MS = 60_000;

/** A queue of deliveries. */
export interface DeliveryQueue<L> {
  /** A plural noun for log messages. */
  readonly plural: string;
  /**
   * Claims deliveries that are due and go to no `busy` host. They are due again at `until` unless they are settled
   * before.
   */
  claim(limit: number, now: number, until: number, busy: readonly string[]): Promise<L[]>;
  nextDue(busy: readonly string[]): Promise<number | undefined>;
  /** Returns the host of the receiver; empty for this server. */
  receiver(delivery: L): string;
  /** Makes one attempt, and stores its outcome. */
  deliver(delivery: L): Promise<void>;
}

/** Makes deliveries in parallel as they fall due, until it is stopped. */
export function createDeliveryLoop<L>(
  { clock, logger }: Pick<Platform, "clock" | "logger">,
  queue: DeliveryQueue<L>,
): Loop {
  const pool = createPool<string>(
    () => loop.wake(),
    (error) => logger.error(`the outcome of one of the ${queue.plural} could not be stored`, error),
  );
  const loop = createLoop(
    clock,
    async () => {
      for (;;) {
        const { limit, busy } = decideClaim(pool.items());
        // The end of any delivery wakes the loop.
        if (limit === 0) return undefined;
        const now = clock.now();
        const taken = await queue.claim(limit, now, now + LEASE_MS, busy);
        for (const delivery of taken) pool.begin(queue.receiver(delivery), queue.deliver(delivery));
        if (taken.length < limit) return await queue.nextDue(busy);
      }
    },
    (error) => logger.error(`${queue.plural} could not be read`, error),
  );
  return withPool(loop, pool);
}

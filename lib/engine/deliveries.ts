import { decideClaim } from "../rules/webhooks/receivers.ts";
import { createLoop, createPool, type Loop, withPool } from "./loop.ts";
import type { Platform } from "./ports/ports.ts";

/** Longer than any try takes: whoever took a letter and is silent for so long is gone. */
const LEASE_MS = 60_000;

/** A queue of letters. */
export interface DeliveryQueue<L> {
  /** In the plural, for the log. */
  readonly plural: string;
  /**
   * Takes some that are due and go to no `busy` host; they are due again at `until` unless somebody says otherwise before.
   */
  claim(limit: number, now: number, until: number, busy: readonly string[]): Promise<L[]>;
  nextDue(busy: readonly string[]): Promise<number | undefined>;
  /** The host that a letter goes to; empty for this server. */
  receiver(notification: L): string;
  /** Posts one, and stores what became of it. */
  deliver(notification: L): Promise<void>;
}

/** Delivers letters side by side as they fall due, until it is stopped. */
export function createDeliveryLoop<L>(
  { clock, logger }: Pick<Platform, "clock" | "logger">,
  outbox: DeliveryQueue<L>,
): Loop {
  const pool = createPool<string>(
    () => loop.wake(),
    (error) => logger.error(`what became of one of the ${outbox.plural} could not be stored`, error),
  );
  const loop = createLoop(
    clock,
    async () => {
      for (;;) {
        const { limit, busy } = decideClaim(pool.items());
        // The first that ends wakes again.
        if (limit === 0) return undefined;
        const now = clock.now();
        const taken = await outbox.claim(limit, now, now + LEASE_MS, busy);
        for (const notification of taken) pool.begin(outbox.receiver(notification), outbox.deliver(notification));
        if (taken.length < limit) return await outbox.nextDue(busy);
      }
    },
    (error) => logger.error(`${outbox.plural} could not be read`, error),
  );
  return withPool(loop, pool);
}

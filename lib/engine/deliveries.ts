import { decideClaim } from "../rules/webhooks/receivers.ts";
import { createLoop, type Loop } from "./loop.ts";
import type { Platform } from "./ports/ports.ts";

/** Longer than any try takes: whoever took a letter and is silent for so long is gone. */
const LEASE_MS = 60_000;

/** A queue of letters. */
export interface Outbox<L> {
  /** In the plural, for the log. */
  readonly letters: string;
  /**
   * Takes some that are due and go to no `busy` host; they are due again at `until` unless somebody says otherwise before.
   */
  claim(limit: number, now: number, until: number, busy: readonly string[]): Promise<L[]>;
  nextDue(busy: readonly string[]): Promise<number | undefined>;
  /** The host that a letter goes to; empty for this server. */
  receiver(letter: L): string;
  /** Posts one, and stores what became of it. */
  deliver(letter: L): Promise<void>;
}

/** Delivers letters side by side as they fall due, until it is stopped. */
export function createDeliveryLoop<L>({ clock, logger }: Pick<Platform, "clock" | "logger">, outbox: Outbox<L>): Loop {
  const underway = new Map<Promise<void>, string>();

  const start = (letter: L): void => {
    const work = outbox
      .deliver(letter)
      .catch((error: unknown) => logger.error(`what became of one of the ${outbox.letters} could not be stored`, error))
      .finally(() => {
        underway.delete(work);
        loop.wake();
      });
    underway.set(work, outbox.receiver(letter));
  };
  const loop = createLoop(
    clock,
    async () => {
      for (;;) {
        const { limit, busy } = decideClaim([...underway.values()]);
        // The first that ends wakes again.
        if (limit === 0) return undefined;
        const now = clock.now();
        const taken = await outbox.claim(limit, now, now + LEASE_MS, busy);
        for (const letter of taken) start(letter);
        if (taken.length < limit) return await outbox.nextDue(busy);
      }
    },
    (error) => logger.error(`${outbox.letters} could not be read`, error),
  );
  const idle = async (): Promise<void> => {
    await loop.idle();
    while (underway.size > 0) {
      await Promise.all(underway.keys());
      await loop.idle();
    }
  };
  return {
    wake: loop.wake,
    idle,
    async stop() {
      await loop.stop();
      await idle();
    },
  };
}

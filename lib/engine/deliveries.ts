import { createLoop, type Loop } from "./loop.ts";
import type { Platform } from "./ports.ts";

/** Letters on their way at a time. */
const SLOTS = 16;
/** Longer than any try takes: whoever took a letter and is silent for so long is gone. */
const LEASE_MS = 60_000;

/** A queue of letters. */
export interface Outbox<L> {
  /** In the plural, for the log. */
  readonly letters: string;
  /** Takes some that are due; they are due again at `until` unless somebody says otherwise before. */
  claim(limit: number, now: number, until: number): Promise<L[]>;
  nextDue(): Promise<number | undefined>;
  /** Posts one, and stores what became of it. */
  deliver(letter: L): Promise<void>;
}

/** Delivers letters side by side as they fall due, until it is stopped. */
export function createDeliveryLoop<L>({ clock, logger }: Pick<Platform, "clock" | "logger">, outbox: Outbox<L>): Loop {
  const underway = new Set<Promise<void>>();

  const start = (letter: L): void => {
    const work = outbox
      .deliver(letter)
      .catch((error: unknown) => logger.error(`what became of one of the ${outbox.letters} could not be stored`, error))
      .finally(() => {
        underway.delete(work);
        loop.wake();
      });
    underway.add(work);
  };
  const loop = createLoop(
    clock,
    async () => {
      const free = SLOTS - underway.size;
      // The first that ends wakes again.
      if (free === 0) return undefined;
      const now = clock.now();
      const taken = await outbox.claim(free, now, now + LEASE_MS);
      for (const letter of taken) start(letter);
      return taken.length === free ? undefined : await outbox.nextDue();
    },
    (error) => logger.error(`${outbox.letters} could not be read`, error),
  );
  const idle = async (): Promise<void> => {
    await loop.idle();
    while (underway.size > 0) {
      await Promise.all(underway);
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

import { createAlarm } from "./alarm.ts";
import type { Clock } from "./ports/ports.ts";

/** Pause after a round that failed: the database may come back. */
const RETRY_MS = 10_000;

/** Rounds of work, never two at a time, each begun by a wake or by the time that the one before gave. */
export interface Loop {
  /** Now, or at a time (ms since the epoch). A wake during a round asks for one more. */
  wake(due?: number): void;
  /** Resolves when no round is under way. */
  idle(): Promise<void>;
  /** Begins no more; resolves when the last has ended. */
  stop(): Promise<void>;
}

/** `round` returns when the next is due (ms since the epoch), if that is known. */
export function createLoop(
  clock: Clock,
  round: () => Promise<number | undefined>,
  failed: (error: unknown) => void,
): Loop {
  let underway: Promise<void> | undefined;
  let again = false;
  let stopped = false;

  const run = async (): Promise<void> => {
    do {
      again = false;
      try {
        const due = await round();
        if (due !== undefined && !stopped) alarm.set(due);
      } catch (error) {
        failed(error);
        if (!stopped) alarm.set(clock.now() + RETRY_MS);
      }
    } while (again && !stopped);
    underway = undefined;
  };
  const begin = (): void => {
    if (underway) again = true;
    else if (!stopped) underway = run();
  };
  const alarm = createAlarm(clock, begin);
  const idle = async (): Promise<void> => {
    while (underway) await underway;
  };
  return {
    wake: (due) => (due === undefined || due <= clock.now() ? begin() : stopped || alarm.set(due)),
    idle,
    async stop() {
      stopped = true;
      alarm.stop();
      await idle();
    },
  };
}

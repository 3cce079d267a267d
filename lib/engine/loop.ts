/** A loop that waits for work, and a pool of the work that it has started. */
import type { Clock } from "./ports/ports.ts";

/** The pause after a round that failed, in ms: the database may come back. */
export const RETRY_MS = 10_000;
/** The longest time that a timer can be set for, in ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Runs rounds of work, never two at a time. A round begins at a wake, or at the time that an earlier one returned. */
export interface Loop {
  /** Begins a round now, or at a time (ms since the epoch). A wake during a round causes one more. */
  wake(due?: number): void;
  /** Runs one round without setting a timer, for tests. Rejects when the round fails. */
  tick(): Promise<void>;
  /** Resolves when neither a round nor work that a round has started is under way. */
  idle(): Promise<void>;
  /** Begins no more rounds. Resolves when the last round and all work have ended. */
  stop(): Promise<void>;
}

/**
 * Does one round. Returns when the next one is due (ms since the epoch), if that is known. `byAlarm` is set when the
 * timer started the round, so that no timer is set now.
 */
export type Round = (byAlarm: boolean) => Promise<number | undefined>;

export function createLoop(clock: Clock, round: Round, failed: (error: unknown) => void): Loop {
  let underway: Promise<unknown> = Promise.resolve();
  let active = false;
  let again = false;
  let rang = false;
  let stopping = false;

  const runRound = async (): Promise<number | undefined> => {
    const byAlarm = rang;
    again = rang = false;
    return await round(byAlarm);
  };
  const run = async (): Promise<void> => {
    do {
      try {
        const due = await runRound();
        if (due !== undefined && !stopping) alarm.set(due);
      } catch (error) {
        failed(error);
        if (!stopping) alarm.set(clock.now() + RETRY_MS);
      }
    } while (again && !stopping);
    active = false;
  };
  const begin = (): void => {
    again = true;
    if (active || stopping) return;
    active = true;
    underway = run();
  };
  const alarm = createAlarm(clock, () => {
    rang = true;
    begin();
  });
  const idle = async (): Promise<void> => {
    while (active) await underway;
  };
  return {
    wake: (due) => (due === undefined || due <= clock.now() ? begin() : stopping || alarm.set(due)),
    async tick() {
      while (active) await underway;
      active = true;
      const ticking = runRound();
      underway = ticking.catch(() => undefined);
      try {
        await ticking;
      } finally {
        active = false;
        if (again) begin();
      }
    },
    idle,
    async stop() {
      stopping = true;
      alarm.stop();
      await idle();
    },
  };
}

/** Rings once, at the earliest of the times that it was set to (ms since the epoch). */
interface Alarm {
  set(due: number): void;
  stop(): void;
}

/** A time beyond the range of a timer rings early: the round that begins then finds nothing due. */
function createAlarm(clock: Clock, ring: () => void): Alarm {
  let next: { due: number; timer: NodeJS.Timeout } | undefined;
  return {
    set(due) {
      if (next && next.due <= due) return;
      clearTimeout(next?.timer);
      const wait = Math.min(Math.max(0, due - clock.now()), MAX_TIMER_MS);
      const timer = setTimeout(() => {
        next = undefined;
        ring();
      }, wait);
      timer.unref();
      next = { due, timer };
    },
    stop: () => clearTimeout(next?.timer),
  };
}

/** Work that goes on in parallel after the round that started it. */
export interface Pool<T> {
  readonly size: number;
  /** Returns the items that are being worked on. */
  items(): T[];
  begin(item: T, work: Promise<void>): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** `ended` is called after each piece of work, also after one that failed. */
export function createPool<T>(ended: () => void, failed: (error: unknown) => void): Pool<T> {
  const underway = new Map<Promise<void>, T>();
  return {
    get size() {
      return underway.size;
    },
    items: () => [...underway.values()],
    begin(item, work) {
      const settled = work.catch(failed).finally(() => {
        underway.delete(settled);
        ended();
      });
      underway.set(settled, item);
    },
    async idle() {
      while (underway.size > 0) await Promise.all(underway.keys());
    },
  };
}

/** Combines a loop with the pool of its work. `abort` is called after the last round, to end that work early. */
export function withPool<T>(loop: Loop, pool: Pool<T>, abort?: () => void): Loop {
  const idle = async (): Promise<void> => {
    await loop.idle();
    while (pool.size > 0) {
      await pool.idle();
      await loop.idle();
    }
  };
  return {
    ...loop,
    idle,
    async stop() {
      await loop.stop();
      abort?.();
      await idle();
    },
  };
}

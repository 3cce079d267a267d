import { rejectOnAbort } from "./reject-on-abort.ts";

interface KeyedLock {
  <T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Returns whether a call with this key works or waits. */
  isHeld(key: string): boolean;
}

/**
 * Creates a lock for each key: one call at a time works, the others wait. A waiting call that is aborted rejects with
 * the reason and does not disturb the others.
 */
export function createKeyedLock(): KeyedLock {
  const tails = new Map<string, Promise<unknown>>();
  const lock = async <T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const previous = tails.get(key) ?? Promise.resolve();
    const { promise: turn, resolve: release } = Promise.withResolvers<void>();
    const all = Promise.all([previous, turn]);
    tails.set(key, all);
    try {
      await rejectOnAbort(previous, signal);
      signal.throwIfAborted();
      return await work();
    } finally {
      release();
      void all.then(() => {
        if (tails.get(key) === all) tails.delete(key);
      });
    }
  };
  return Object.assign(lock, { isHeld: (key: string) => tails.has(key) });
}

/**
 * Creates a lock for each name: one call at a time works, the others wait. A waiting call that is aborted rejects with
 * the reason and does not disturb the others.
 */
export function createKeyedLock(): <T>(name: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>();
  return async (name, signal, work) => {
    signal.throwIfAborted();
    const previous = tails.get(name);
    const { promise: turn, resolve: release } = Promise.withResolvers<void>();
    const all = Promise.all([previous, turn]);
    tails.set(name, all);
    try {
      await untilAborted(previous, signal);
      return await work();
    } finally {
      release();
      void all.then(() => {
        if (tails.get(name) === all) tails.delete(name);
      });
    }
  };
}

async function untilAborted(promise: Promise<unknown> | undefined, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  // The reason comes from the caller and goes back to it.
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([promise, aborted]);
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

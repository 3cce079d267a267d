/**
 * Creates a lock for each name: one call at a time works, the others wait. A waiting call that is aborted rejects with
 * the reason and does not disturb the others.
 */
export function oneAtATime(): <T>(name: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (name, signal, work) => {
    signal.throwIfAborted();
    const before = last.get(name);
    const { promise: turn, resolve: over } = Promise.withResolvers<void>();
    const all = Promise.all([before, turn]);
    last.set(name, all);
    try {
      await untilAborted(before, signal);
      return await work();
    } finally {
      over();
      void all.then(() => {
        if (last.get(name) === all) last.delete(name);
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

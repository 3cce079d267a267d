/** A clock that components share. It ticks while there are any. */
export interface Clock {
  /** For `useSyncExternalStore`. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Returns the time of the last tick, in ms since the epoch; 0 before the first subscriber. */
  readonly now: () => number;
}

export function createClock(tickMs: number): Clock {
  const listeners = new Set<() => void>();
  let now = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  return {
    now: () => now,
    subscribe: (listener) => {
      listeners.add(listener);
      now = Date.now();
      timer ??= setInterval(() => {
        now = Date.now();
        for (const one of listeners) one();
      }, tickMs);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

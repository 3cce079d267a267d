import { rejectOnAbort } from "../reject-on-abort.ts";

/** Runs work once for all callers that need it at the same time. It is aborted when no caller waits for it any more. */
export interface SharedWork<T> {
  /** Joins the running work of this key, or starts it. Rejects with its error, or the reason of `signal`. */
  join(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

interface Shared<T> {
  result: Promise<T>;
  callers: number;
  stopped: AbortController;
}

export function createSharedWork<T>(): SharedWork<T> {
  const running = new Map<string, Shared<T>>();

  const start = (key: string, work: (signal: AbortSignal) => Promise<T>): Shared<T> => {
    const stopped = new AbortController();
    const shared = { result: work(stopped.signal), callers: 0, stopped };
    running.set(key, shared);
    return shared;
  };

  return {
    async join(key, signal, work) {
      signal.throwIfAborted();
      const shared = running.get(key) ?? start(key, work);
      shared.callers += 1;
      try {
        return await rejectOnAbort(shared.result, signal);
      } finally {
        shared.callers -= 1;
        // The work has ended, or nobody waits for it any more: the next caller starts new work.
        if (running.get(key) === shared && shared.callers === 0) {
          running.delete(key);
          if (signal.aborted) shared.stopped.abort(signal.reason);
        }
      }
    },
  };
}

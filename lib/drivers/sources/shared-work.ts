import type { StepContext, WriteLine } from "../../engine/ports/builds.ts";
import { rejectOnAbort } from "../reject-on-abort.ts";

/** Runs work once for all callers that need it at the same time. It is aborted when no caller waits for it any more. */
export interface SharedWork<T> {
  /** Joins the running work of this key, or starts it. Rejects with its error, or the reason of `context.signal`. */
  join(key: string, context: StepContext, work: (context: StepContext) => Promise<T>): Promise<T>;
}

interface Shared<T> {
  result: Promise<T>;
  listeners: Set<WriteLine>;
  stop(reason: unknown): void;
}

export function createSharedWork<T>(): SharedWork<T> {
  const running = new Map<string, Shared<T>>();

  const start = (key: string, work: (context: StepContext) => Promise<T>): Shared<T> => {
    const stopped = new AbortController();
    const listeners = new Set<WriteLine>();
    const writeLine: WriteLine = (line) => listeners.forEach((one) => one(line));
    const leave = (): void => {
      if (running.get(key) === shared) running.delete(key);
    };
    const stop = (reason: unknown): void => {
      // The next caller starts new work.
      leave();
      stopped.abort(reason);
    };
    const shared: Shared<T> = { listeners, stop, result: work({ signal: stopped.signal, writeLine }).finally(leave) };
    running.set(key, shared);
    return shared;
  };

  return {
    async join(key, context, work) {
      context.signal.throwIfAborted();
      return await waitFor(running.get(key) ?? start(key, work), context);
    },
  };
}

async function waitFor<T>({ result, listeners, stop }: Shared<T>, { writeLine, signal }: StepContext): Promise<T> {
  const listener: WriteLine = (line) => writeLine(line);
  listeners.add(listener);
  try {
    return await rejectOnAbort(result, signal);
  } finally {
    listeners.delete(listener);
    if (signal.aborted && listeners.size === 0) stop(signal.reason);
  }
}

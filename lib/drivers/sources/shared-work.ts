import type { StepContext, WriteLine } from "../../engine/ports/builds.ts";

/** Runs work once for all callers that need it at the same time. It is aborted when no caller waits for it any more. */
export interface SharedWork<T> {
  /** Joins the running work of this key, or starts it. Rejects with its error, or the reason of `context.signal`. */
  join(key: string, context: StepContext, work: (context: StepContext) => Promise<T>): Promise<T>;
}

interface Shared<T> {
  result: Promise<T>;
  tells: Set<WriteLine>;
  stop(reason: unknown): void;
}

export function createSharedWork<T>(): SharedWork<T> {
  const under = new Map<string, Shared<T>>();

  const begin = (key: string, work: (context: StepContext) => Promise<T>): Shared<T> => {
    const stopped = new AbortController();
    const tells = new Set<WriteLine>();
    const writeLine: WriteLine = (line) => tells.forEach((one) => one(line));
    const leave = (): void => {
      if (under.get(key) === shared) under.delete(key);
    };
    const stop = (reason: unknown): void => {
      // The next caller starts new work.
      leave();
      stopped.abort(reason);
    };
    const shared: Shared<T> = { tells, stop, result: work({ signal: stopped.signal, writeLine }).finally(leave) };
    under.set(key, shared);
    return shared;
  };

  return {
    async join(key, context, work) {
      context.signal.throwIfAborted();
      return await waitFor(under.get(key) ?? begin(key, work), context);
    },
  };
}

async function waitFor<T>({ result, tells, stop }: Shared<T>, { writeLine, signal }: StepContext): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const mine: WriteLine = (line) => writeLine(line);
  const leave = (): void => {
    tells.delete(mine);
    if (tells.size === 0) stop(signal.reason);
    reject(signal.reason as Error);
  };
  tells.add(mine);
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([result, promise]);
  } finally {
    signal.removeEventListener("abort", leave);
    tells.delete(mine);
  }
}

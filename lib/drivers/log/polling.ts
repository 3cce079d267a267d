/** Looks from time to time at what other servers have stored, as long as somebody waits for it. */
import type { RunEventStore, RunPosition } from "../../engine/ports/runs.ts";
import { createEmitter } from "../../rules/emitter.ts";

interface Waiting {
  /** Id of the newest event that the follower has. */
  after: number;
  wake: () => void;
}

/** Returns the pause until the next look, in ms. */
export type Pause = () => number;

/**
 * Followers of runs that execute on other servers. One statement looks for the news of all of them. `found` is called with what it
 * has found of each run.
 */
export function pollPositions(
  runs: Pick<RunEventStore, "positions">,
  pause: Pause,
  found: (runId: string, run: RunPosition | undefined) => void = () => undefined,
) {
  const byRun = new Map<string, Set<Waiting>>();
  const wakeAll = (all: Iterable<Waiting>): void => [...all].forEach(({ wake }) => wake());
  const look = async (): Promise<void> => {
    const ids = [...byRun.keys()];
    const positions = new Map((await runs.positions(ids)).map((run) => [run.run_id, run]));
    for (const id of ids) {
      const run = positions.get(id);
      found(id, run);
      const all = [...(byRun.get(id) ?? [])];
      wakeAll(run && !run.hasEnded ? all.filter(({ after }) => run.last_event > after) : all);
    }
  };
  const polling = pollWhile(() => byRun.size > 0, look, pause);

  return {
    look: polling.now,
    /** Resolves when the run has an event above `after`, has ended or is gone, when `wake` or `close` is called, or on abort. */
    async changed(runId: string, after: number, signal?: AbortSignal): Promise<void> {
      if (signal?.aborted === true) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = (): void => resolve();
      const one: Waiting = { after, wake };
      const all = byRun.get(runId) ?? new Set();
      byRun.set(runId, all.add(one));
      signal?.addEventListener("abort", wake);
      polling.begin();
      await promise;
      signal?.removeEventListener("abort", wake);
      all.delete(one);
      if (all.size === 0 && byRun.get(runId) === all) byRun.delete(runId);
    },
    wake: (runId: string): void => wakeAll(byRun.get(runId) ?? []),
    close(): void {
      polling.end();
      for (const all of byRun.values()) wakeAll(all);
    },
  };
}

/** Notifies listeners when runs have begun or ended anywhere. */
export function pollActivity(runs: Pick<RunEventStore, "activity">, pause: Pause) {
  const changes = createEmitter();
  let listeners = 0;
  let known: string | undefined;
  const look = async (): Promise<void> => {
    const now = await runs.activity();
    if (known !== undefined && known !== now) changes.emit();
    known = now;
  };
  const polling = pollWhile(() => listeners > 0, look, pause);

  return {
    onChange(listener: () => void): () => void {
      if (listeners === 0) known = undefined;
      listeners++;
      polling.begin();
      const forget = changes.on(listener);
      return () => {
        forget();
        listeners--;
      };
    },
    close: () => polling.end(),
  };
}

/** Looks at intervals while it is needed. A look that fails is repeated: the database may come back. */
function pollWhile(isNeeded: () => boolean, look: () => Promise<void>, pause: Pause) {
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const begin = (): void => {
    if (timer || hasEnded) return;
    timer = setTimeout(() => void run(), pause());
    timer.unref();
  };
  const run = async (): Promise<void> => {
    if (isNeeded()) await look().catch(() => undefined);
    timer = undefined;
    if (isNeeded()) begin();
  };
  return {
    begin,
    /** Looks at once. */
    now(): void {
      if (timer === undefined || hasEnded) return;
      clearTimeout(timer);
      timer = setTimeout(() => void run(), 0);
    },
    end(): void {
      hasEnded = true;
      clearTimeout(timer);
    },
  };
}

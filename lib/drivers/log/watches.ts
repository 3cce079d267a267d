import type { EventLog, StoredRun } from "../../engine/ports/ports.ts";
import { createEmitter } from "../../rules/emitter.ts";

interface Watch {
  /** True if a run has begun since the last wait ended. */
  hasBegun: boolean;
  wake: (() => void) | undefined;
}

export interface ThreadWatches {
  /** The part of a log that is about threads. */
  readonly reading: Pick<EventLog, "watch" | "onThreadChange" | "notifyThreads"> & {
    /** Notes what another server has done: it has begun a run of this thread, or has changed something else. */
    noteThread(threadId: string | undefined): void;
  };
  begun(run: Pick<StoredRun, "run_id" | "thread_id">): void;
  /** Reports the end of a run. */
  ended(runId: string): void;
  /** Wakes all watchers, after `closing` has aborted. */
  close(): void;
}

/**
 * Keeps the watchers of single threads and the listeners for all threads of this process. `changed` is called with the thread of a
 * run that begins in this process, and without one when something else has changed.
 */
export function threadWatches(
  closing: AbortSignal,
  changed: (threadId?: string) => void = () => undefined,
): ThreadWatches {
  const byThread = new Map<string, Set<Watch>>();
  const underway = new Set<string>();
  const changes = createEmitter();
  const wake = (threadId: string): void => {
    for (const one of byThread.get(threadId) ?? []) {
      one.hasBegun = true;
      one.wake?.();
    }
  };
  const emit = (threadId?: string): void => {
    changes.emit();
    changed(threadId);
  };
  const watch: EventLog["watch"] = (threadId) => {
    const opened: Watch = { hasBegun: false, wake: undefined };
    const all = byThread.get(threadId) ?? new Set();
    byThread.set(threadId, all.add(opened));
    return {
      async begun(signal) {
        closing.throwIfAborted();
        await nextBegin(opened, signal);
        closing.throwIfAborted();
      },
      close() {
        all.delete(opened);
        if (all.size === 0 && byThread.get(threadId) === all) byThread.delete(threadId);
      },
    };
  };
  const noteThread = (threadId: string | undefined): void => {
    if (threadId !== undefined) wake(threadId);
    changes.emit();
  };
  return {
    reading: { watch, onThreadChange: changes.on, notifyThreads: () => emit(), noteThread },
    close() {
      for (const all of byThread.values()) for (const one of all) one.wake?.();
    },
    ended(runId) {
      if (underway.delete(runId)) emit();
    },
    begun({ run_id, thread_id }) {
      wake(thread_id);
      underway.add(run_id);
      emit(thread_id);
    },
  };
}

async function nextBegin(watch: Watch, signal: AbortSignal | undefined): Promise<void> {
  if (!watch.hasBegun && signal?.aborted !== true) {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      watch.wake = wake;
      signal?.addEventListener("abort", wake);
    });
    watch.wake = undefined;
  }
  watch.hasBegun = false;
}

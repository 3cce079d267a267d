import type { EventLog, StoredRun } from "../../engine/ports/ports.ts";
import { createEmitter } from "../../rules/emitter.ts";

interface Watch {
  /** True if a run has begun since the last wait ended. */
  hasBegun: boolean;
  wake: (() => void) | undefined;
}

export interface ThreadWatches extends Pick<EventLog, "watch" | "onThreadChange" | "notifyThreads"> {
  begun(run: Pick<StoredRun, "run_id" | "thread_id">): void;
  /** Reports the end of a run. */
  ended(runId: string): void;
  /** Wakes all watchers, after `closing` has aborted. */
  close(): void;
}

/** Keeps the watchers of single threads and the listeners for all threads of this process. */
export function threadWatches(closing: AbortSignal): ThreadWatches {
  const byThread = new Map<string, Set<Watch>>();
  const underway = new Set<string>();
  const changes = createEmitter();
  return {
    onThreadChange: changes.on,
    notifyThreads: changes.emit,
    close() {
      for (const all of byThread.values()) for (const watch of all) watch.wake?.();
    },
    ended(runId) {
      if (underway.delete(runId)) changes.emit();
    },
    watch(threadId) {
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
    },
    begun({ run_id, thread_id }) {
      for (const watch of byThread.get(thread_id) ?? []) {
        watch.hasBegun = true;
        watch.wake?.();
      }
      underway.add(run_id);
      changes.emit();
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

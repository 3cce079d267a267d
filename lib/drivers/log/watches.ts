import type { EventLog, StoredRun } from "../../engine/ports/ports.ts";

interface Watch {
  /** A run has begun that nobody was told of. */
  news: boolean;
  wake: (() => void) | undefined;
}

export interface ThreadWatches extends Pick<EventLog, "onThreads" | "tellThreads"> {
  open: EventLog["watch"];
  begun(run: Pick<StoredRun, "run_id" | "thread_id">): void;
  /** Of any run: those of no thread are not heard of. */
  ended(runId: string): void;
  /** Wakes all who watch, once `closing` has aborted. */
  close(): void;
}

/** Who watches which thread of this process, or all of them. */
export function threadWatches(closing: AbortSignal): ThreadWatches {
  const byThread = new Map<string, Set<Watch>>();
  const underway = new Set<string>();
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    onThreads(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tellThreads: tell,
    close() {
      for (const all of byThread.values()) for (const watch of all) watch.wake?.();
    },
    ended(runId) {
      if (underway.delete(runId)) tell();
    },
    open(threadId) {
      const watch: Watch = { news: false, wake: undefined };
      const all = byThread.get(threadId) ?? new Set();
      byThread.set(threadId, all.add(watch));
      return {
        async begun(signal) {
          closing.throwIfAborted();
          await nextNews(watch, signal);
          closing.throwIfAborted();
        },
        close() {
          all.delete(watch);
          if (all.size === 0 && byThread.get(threadId) === all) byThread.delete(threadId);
        },
      };
    },
    begun({ run_id, thread_id }) {
      for (const watch of byThread.get(thread_id) ?? []) {
        watch.news = true;
        watch.wake?.();
      }
      underway.add(run_id);
      tell();
    },
  };
}

async function nextNews(watch: Watch, signal: AbortSignal | undefined): Promise<void> {
  if (!watch.news && signal?.aborted !== true) {
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
  watch.news = false;
}

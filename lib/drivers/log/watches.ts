import type { EventLog } from "../../engine/ports.ts";

interface Watch {
  /** A run has begun that nobody was told of. */
  news: boolean;
  wake: (() => void) | undefined;
}

/** Who watches which thread of this process. */
export function threadWatches(): { open: EventLog["watch"]; begun(threadId: string): void } {
  const byThread = new Map<string, Set<Watch>>();
  return {
    open(threadId) {
      const watch: Watch = { news: false, wake: undefined };
      const all = byThread.get(threadId) ?? new Set();
      byThread.set(threadId, all.add(watch));
      return {
        begun: (signal) => nextNews(watch, signal),
        close() {
          all.delete(watch);
          if (all.size === 0 && byThread.get(threadId) === all) byThread.delete(threadId);
        },
      };
    },
    begun(threadId) {
      for (const watch of byThread.get(threadId) ?? []) {
        watch.news = true;
        watch.wake?.();
      }
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

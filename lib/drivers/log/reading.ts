import type { EventLog } from "../../engine/ports/ports.ts";
import type { RunEventStore } from "../../engine/ports/runs.ts";
import { newerThan, newestOf, type Tail } from "./tail.ts";

const READ_LIMIT = 256;

/** Implements the reading side of the log. Events come from memory if they are there, else from the database. */
export function reading(
  tails: ReadonlyMap<string, Tail>,
  runs: Pick<RunEventStore, "read">,
  closing: AbortSignal,
): Pick<EventLog, "read" | "newest" | "hold" | "changed"> & { isLive(runId: string): boolean } {
  return {
    async read(runId, after) {
      return newerThan(tails.get(runId), after) ?? (await runs.read(runId, after, READ_LIMIT));
    },
    newest(runId) {
      const tail = tails.get(runId);
      return tail && newestOf(tail);
    },
    isLive(runId) {
      const tail = tails.get(runId);
      return tail !== undefined && !tail.ended;
    },
    hold(runId) {
      const tail = tails.get(runId);
      if (tail) tail.readers++;
      return () => {
        if (tail) tail.readers--;
      };
    },
    async changed(runId, after, signal) {
      closing.throwIfAborted();
      await nextEvent(tails.get(runId), after, signal);
      closing.throwIfAborted();
    },
  };
}

function nextEvent(tail: Tail | undefined, after: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (!tail || tail.ended || newestOf(tail) > after || signal?.aborted) {
      resolve();
      return;
    }
    const wake = (): void => {
      tail.waiting.delete(wake);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    tail.waiting.add(wake);
    signal?.addEventListener("abort", wake);
  });
}

import { END, type RunEvent } from "../protocol/stream.ts";
import type { Deployment, StoredRun } from "./ports/ports.ts";

/**
 * Yields the events of a run with an id above `after`, in batches, as they are appended. Ends with the run (`end` is
 * the last event) or when `signal` aborts. Every transport renders this. A reader that does not ask for more costs
 * nothing: what it has not read stays in the log.
 */
export async function* follow(
  deployment: Pick<Deployment, "log">,
  runId: string,
  after: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly RunEvent[], void, undefined> {
  const { log } = deployment;
  const release = log.hold(runId);
  let seen = after;
  try {
    while (signal?.aborted !== true) {
      // Liveness is checked before reading: an event that comes between the two is found by the read.
      const live = await log.isLive(runId);
      const events = await log.read(runId, seen);
      const last = events.at(-1);
      if (last) {
        seen = last.id;
        yield events;
        if (last.event === END) return;
      } else if (live) {
        await log.changed(runId, seen, signal);
      } else {
        return;
      }
    }
  } finally {
    release();
  }
}

type RunCursor = Pick<StoredRun, "run_id" | "last_event">;

/** Returns the id of the newest event of a run, which may not be stored yet. */
export function newestEvent({ log }: Pick<Deployment, "log">, { run_id, last_event }: RunCursor): number {
  return log.newest(run_id) ?? last_event;
}

/** Resolves when a run has ended, or on abort. */
export async function untilEnded(
  deployment: Pick<Deployment, "log">,
  run: RunCursor,
  signal?: AbortSignal,
): Promise<void> {
  for await (const _ of follow(deployment, run.run_id, newestEvent(deployment, run), signal));
}

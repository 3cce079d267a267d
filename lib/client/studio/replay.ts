import { continueStudioRun } from "../../rules/studio/continue.ts";
import { endStudioRun, foldRunEvents } from "../../rules/studio/fold.ts";
import { beginStudioRun, type RunStatus, type StudioRun } from "../../rules/studio/run.ts";
import type { ParsedEvent } from "../../rules/threads/transcript.ts";
import { joinRun } from "../follow-run.ts";
import type { StudioRunSummary } from "./api.ts";

/** Folds the stored events of runs that have ended, one after the other. Undefined for no run. Never throws. */
export async function replayRuns(
  base: string,
  thread: string,
  runs: readonly StudioRunSummary[],
  signal: AbortSignal,
): Promise<StudioRun | undefined> {
  let state: StudioRun | undefined;
  for (const { run_id, status } of runs) {
    const events: ParsedEvent[] = [];
    await joinRun(base, { thread, run: run_id }, -1, { signal, onEvent: (event) => events.push(event) });
    const start = state ? continueStudioRun(state, run_id) : beginStudioRun(run_id);
    state = endStudioRun(foldRunEvents(start, events), endOf(status));
  }
  return state;
}

/** Returns the status with which a run ended; undefined while it goes on. */
export function endOf(status: StudioRunSummary["status"]): RunStatus | undefined {
  return status === "pending" || status === "running" ? undefined : status;
}

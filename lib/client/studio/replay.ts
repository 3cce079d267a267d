import { continueStudioRun } from "../../rules/studio/continue.ts";
import { endStudioRun, foldRunEvents } from "../../rules/studio/fold.ts";
import { beginStudioRun, type RunStatus, type StudioRun } from "../../rules/studio/run.ts";
import { headOf } from "../../rules/studio/state-heads.ts";
import { checkpointIdOf } from "../../rules/threads/read-state.ts";
import type { ParsedEvent } from "../../rules/threads/transcript.ts";
import { joinRun } from "../follow-run.ts";
import type { StudioRunSummary } from "./api.ts";
import type { TurnRun } from "./read-thread.ts";

/** Folds the stored events of runs that have ended, one after the other. `before`: what led to them. Never throws. */
export async function replayRuns(
  base: string,
  thread: string,
  { before, runs, signal }: { before: StudioRun | undefined; runs: readonly TurnRun[]; signal: AbortSignal },
): Promise<StudioRun | undefined> {
  let state = before;
  for (const { run_id, status, last } of runs) {
    const events: ParsedEvent[] = [];
    await joinRun(base, { thread, run: run_id }, -1, { signal, onEvent: (event) => events.push(event) });
    const start = state ? continueStudioRun(state, run_id) : beginStudioRun(run_id);
    state = endStudioRun(foldRunEvents(start, eventsUpTo(events, last)), endOf(status));
  }
  return state;
}

/** Leaves out what a run did after a state, if it wrote others after that. */
function eventsUpTo(events: readonly ParsedEvent[], last: string | undefined): readonly ParsedEvent[] {
  const ids = events.map((event) => checkpointIdOf(headOf(event)?.checkpoint));
  const end = last === undefined ? -1 : ids.lastIndexOf(last);
  return end >= 0 && ids.slice(end + 1).some((id) => id !== undefined) ? events.slice(0, end + 1) : events;
}

/** Returns the status with which a run ended; undefined while it goes on. */
export function endOf(status: StudioRunSummary["status"]): RunStatus | undefined {
  return status === "pending" || status === "running" ? undefined : status;
}

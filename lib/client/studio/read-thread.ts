import { isObject } from "../../protocol/json.ts";
import { addStates, NO_LANES } from "../../rules/studio/checkpoint-lanes.ts";
import { isContinuation } from "../../rules/studio/turns.ts";
import { HISTORY_PAGE, type StudioApi, type StudioRunSummary } from "./api.ts";
import type { StudioState } from "./studio-state.ts";

interface ReadThread extends Pick<StudioState, "details" | "history" | "lanes" | "hasOlder"> {
  /** The runs of the newest turn, oldest first. Empty if the events of the last one were not stored. */
  readonly turn: readonly StudioRunSummary[];
  /** The last run has not ended. */
  readonly isOpen: boolean;
}

/** Reads a thread with its newest states. Throws a `RequestFailure`. */
export async function readThread(api: StudioApi, thread: string): Promise<ReadThread> {
  // The runs are read first. The history is then complete for those that have ended.
  const runs = await api.newestRuns(thread, MOST_RUNS);
  const [details, history] = await Promise.all([api.thread(thread), api.history(thread)]);
  const isOpen = runs[0]?.status === "running" || runs[0]?.status === "pending";
  return {
    details,
    history,
    lanes: addStates(NO_LANES, history),
    hasOlder: history.length === HISTORY_PAGE,
    isOpen,
    turn: turnOf(runs, isOpen),
  };
}

/** A turn of more runs is shown from its later ones on. */
const MOST_RUNS = 20;

function turnOf(runs: readonly StudioRunSummary[], isOpen: boolean): readonly StudioRunSummary[] {
  const first = runs.findIndex((run) => !isContinuation(run.kwargs));
  const turn = first === -1 ? runs : runs.slice(0, first + 1);
  const [last] = turn;
  if (!last || (!isOpen && !isStored(last))) return [];
  // Without the events of a run in their midst, those before it would not join.
  const gap = turn.findIndex((run, index) => index > 0 && !isStored(run));
  return (gap === -1 ? turn : turn.slice(0, gap)).toReversed();
}

function isStored({ kwargs }: StudioRunSummary): boolean {
  return isObject(kwargs) && kwargs.resumable === true;
}

import { isObject } from "../../protocol/json.ts";
import { type LineageRun, lineageRuns } from "../../rules/studio/lineage.ts";
import type { StateHead } from "../../rules/studio/state-heads.ts";
import { forkOf, isContinuation } from "../../rules/studio/turns.ts";
import { checkpointIdOf } from "../../rules/threads/read-state.ts";
import type { StudioApi, StudioRunSummary } from "./api.ts";
import { onlyStates, type StudioState } from "./studio-state.ts";

/** A run of a turn. */
export interface TurnRun extends StudioRunSummary {
  /** The id of the state at which the next run or a fork left it; absent for a run that has not ended. */
  readonly last?: string;
}

export interface TurnOfRuns {
  /** The runs that tell their tasks, oldest first. Empty if the last one does not. */
  readonly runs: readonly TurnRun[];
  /** The id of the state with which they began, if that was not the input of the turn. */
  readonly from?: string;
}

interface ReadThread extends Pick<StudioState, "details" | "history" | "lanes" | "hasOlder"> {
  /** The newest turn as far as its runs tell it. */
  readonly turn: TurnOfRuns;
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
    ...onlyStates(history),
    isOpen,
    turn: turnOf(runs, history, isOpen),
  };
}

/** A turn of more runs is shown from its later ones on. */
const MOST_RUNS = 20;

function turnOf(summaries: readonly StudioRunSummary[], history: readonly StateHead[], isOpen: boolean): TurnOfRuns {
  const lineage = lineageRuns(history);
  const [newest] = summaries;
  const told = newest && (isOpen || failedUnsaved(newest, history)) ? newest : undefined;
  // A run that begins a turn or a fork is told from there on.
  const before = told && !isContinuation(told.kwargs) ? [] : lineage.filter(({ id }) => id !== told?.run_id);
  const runs: TurnRun[] = told ? [told] : [];
  let from = told && beginOf(told, lineage, history);
  const known = new Map(summaries.map((one) => [one.run_id, one]));
  for (const { id, last, from: begin } of before.toReversed()) {
    const summary = known.get(id);
    if (!summary || !tellsTasks(summary)) break;
    runs.unshift({ ...summary, last });
    from = begin;
  }
  return { runs, ...(from !== undefined && { from }) };
}

/** Returns whether the newest run failed before it saved a state, and nothing was written since: its events say why. */
function failedUnsaved(newest: StudioRunSummary, [head]: readonly StateHead[]): boolean {
  const isFailed = newest.status === "error" || newest.status === "timeout";
  return isFailed && tellsTasks(newest) && !(Date.parse(head?.created_at ?? "") >= Date.parse(newest.created_at));
}

/** Returns the id of the state from which a run went on that has not ended, or that has saved none. */
function beginOf(
  { run_id, kwargs }: StudioRunSummary,
  lineage: readonly LineageRun[],
  history: readonly StateHead[],
): string | undefined {
  const own = lineage.find(({ id }) => id === run_id);
  if (own) return own.from;
  return isContinuation(kwargs) ? checkpointIdOf(history[0]?.checkpoint) : forkOf(kwargs);
}

/** Returns whether the events of a run are kept, and tell what became of its tasks. */
function tellsTasks({ kwargs }: StudioRunSummary): boolean {
  if (!isObject(kwargs) || kwargs.resumable !== true) return false;
  const modes = new Set([kwargs.stream_mode].flat());
  return modes.has("debug") || (modes.has("tasks") && modes.has("checkpoints"));
}

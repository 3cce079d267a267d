/** Builds the log of a thread from its history, for runs whose events are not kept. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { checkpointIdOf, timeOf } from "../threads/read-state.ts";
import { takeCheckpoint } from "./checkpoints.ts";
import { beginStudioRun, type StudioRun } from "./run.ts";
import type { StateHead } from "./state-heads.ts";
import { type Turn, turnsOf } from "./turns.ts";

/** The number of states between two runs that are kept. */
export const APART = 64;

/**
 * Returns a function that folds the turn of a checkpoint up to it, as it was at that moment. Histories tell neither starts
 * nor ends of tasks, nor what happened within subgraphs. `history`: states of `POST /threads/{thread_id}/history`, newest
 * first. Some of the runs that were folded are kept, so that moving through a turn of 10,000 states folds some dozens of
 * them each time.
 */
export function createPastRuns(history: readonly StateHead[]): (checkpoint: string) => StudioRun | undefined {
  const folds = new Map<string, () => StudioRun>();
  for (const turn of turnsOf(history)) {
    const foldTo = createTurnFold(turn, history[0]);
    for (const [index, { checkpoint }] of turn.entries()) {
      const id = checkpointIdOf(checkpoint);
      if (id !== undefined) folds.set(id, () => foldTo(turn.length - 1 - index));
    }
  }
  return (checkpoint) => folds.get(checkpoint)?.();
}

/** Returns a function that folds a turn up to the state at a place. 0 is the place of the oldest. */
function createTurnFold(turn: Turn, newest: StateHead | undefined): (place: number) => StudioRun {
  const kept: StudioRun[] = [beginStudioRun()];
  const stateAt = (place: number): StateHead => turn[turn.length - 1 - place] ?? turn[0];
  return (place) => {
    const first = Math.min(Math.floor(place / APART), kept.length - 1);
    let run = kept[first] ?? beginStudioRun();
    for (let at = first * APART; at < place; at++) {
      if (at % APART === 0) kept[at / APART] = run;
      run = takeState({ ...run, seen: at }, stateAt(at));
    }
    const head = stateAt(place);
    return ended(takeState({ ...run, seen: place }, head === newest ? head : asThen(head)));
  };
}

/** Removes what the tasks of a past state did, because that came after its moment. */
function asThen(head: StateHead): JsonObject {
  const { tasks }: { tasks: unknown } = head;
  return Array.isArray(tasks) ? { ...head, tasks: tasks.map(asNext) } : { ...head };
}

function asNext(task: unknown): unknown {
  if (!isObject(task)) return task;
  const { result: _result, error: _error, ...rest } = task;
  return rest;
}

function takeState(run: StudioRun, state: JsonObject): StudioRun {
  const at = timeOf(state.created_at);
  return takeCheckpoint(run, state, { namespace: "", ...(at === undefined ? {} : { at }), isHistory: true });
}

/** Tells the end as far as the newest state does: a task that failed, or nothing that is left to do. */
function ended(run: StudioRun): StudioRun {
  const failed = [...run.tasks].find((task) => task.status === "failed");
  if (failed) return { ...run, status: "error", ...(failed.error ? { error: failed.error } : {}) };
  return { ...run, status: run.next.length === 0 || run.interrupts.length > 0 ? "success" : "unknown" };
}

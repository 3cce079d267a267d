/** Builds the log of a thread from its history, for runs whose events are not kept. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { checkpointIdOf, timeOf } from "../threads/read-state.ts";
import { takeCheckpoint } from "./checkpoints.ts";
import { graphIn, withStep } from "./graphs.ts";
import { beginStudioRun, type StudioRun } from "./run.ts";
import type { StateHead } from "./state-heads.ts";
import { isInput, type Turn, turnsOf } from "./turns.ts";

/** The number of states between two runs that are kept. */
export const APART = 64;

/** The runs of past states, each as it was at its moment. */
export interface PastRuns {
  /** Folds what led to a checkpoint: its turn, and where that is a fork, the one before it up to there. */
  runAt(checkpoint: string): StudioRun | undefined;
  /**
   * Folds towards a checkpoint while `mayGoOn`, which is asked after every `APART` states. Returns whether fewer of them are
   * left to fold.
   */
  foldTowards(checkpoint: string, mayGoOn: () => boolean): boolean;
}

/**
 * Histories tell neither starts nor ends of tasks, nor what happened within subgraphs. `history`: states of
 * `POST /threads/{thread_id}/history`, newest first. Some of the runs that were folded are kept, so that moving through a
 * turn of 10,000 states folds some dozens of them each time.
 */
function createPastRuns(history: readonly StateHead[]): PastRuns {
  const places = new Map<string, Place>();
  for (const [at, turn] of turnsOf(history).entries()) {
    const fold = createTurnFold(turn, history[0], () => {
      const fork = placeBefore(turn);
      // Parents that form a circle lead to a newer turn.
      return fork && fork.turn > at ? fork : undefined;
    });
    for (const [index, { checkpoint }] of turn.entries()) {
      const id = checkpointIdOf(checkpoint);
      if (id !== undefined) places.set(id, { fold, turn: at, place: turn.length - 1 - index });
    }
  }
  const placeBefore = (turn: Turn): Place | undefined => {
    const oldest = turn.at(-1) ?? turn[0];
    return isInput(oldest) ? undefined : places.get(checkpointIdOf(oldest.parent_checkpoint) ?? "");
  };
  return {
    runAt(checkpoint) {
      const found = places.get(checkpoint);
      if (!found) return undefined;
      const run = ended(found.fold.to(found.place));
      return found.fold.isNextGone(found.place) ? { ...run, status: "unknown" } : run;
    },
    foldTowards(checkpoint, mayGoOn) {
      const found = places.get(checkpoint);
      return !found || found.fold.towards(found.place, mayGoOn);
    },
  };
}

const known = new WeakMap<readonly StateHead[], PastRuns>();

/** Returns the runs of a history, which several parts of a page show. What was folded of it is kept with it. */
export function pastRunsOf(history: readonly StateHead[]): PastRuns {
  const runs = known.get(history) ?? createPastRuns(history);
  known.set(history, runs);
  return runs;
}

/** A state of a turn by its place, from 0 for the oldest. */
interface Place {
  readonly fold: TurnFold;
  /** The number of turns that are newer. */
  readonly turn: number;
  readonly place: number;
}

interface TurnFold {
  /** Folds up to the state at a place. */
  to(place: number): StudioRun;
  towards(place: number, mayGoOn: () => boolean): boolean;
  /** Returns whether the graph no longer has what came after the state at a place. */
  isNextGone(place: number): boolean;
}

/** `forkedAt`: the state from which the turn forks. */
function createTurnFold(turn: Turn, newest: StateHead | undefined, forkedAt: () => Place | undefined): TurnFold {
  /** The runs before every `APART`th state. */
  const kept: StudioRun[] = [];
  const stateAt = (place: number): StateHead => turn[turn.length - 1 - place] ?? turn[turn.length - 1] ?? turn[0];
  const foldFrom = (at: number, to: number): StudioRun => {
    let run = kept[at] ?? beginStudioRun();
    for (let place = at * APART; place < to; place++) run = takeNext(run, stateAt(place), stateAt(place - 1));
    return run;
  };
  const towards = (place: number, mayGoOn: () => boolean): boolean => {
    const fork = kept.length === 0 ? forkedAt() : undefined;
    if (fork && !fork.fold.towards(fork.place, mayGoOn)) return false;
    if (kept.length === 0) kept.push(fork ? fork.fold.to(fork.place) : beginStudioRun());
    while (kept.length <= Math.floor(place / APART)) {
      if (!mayGoOn()) return false;
      kept.push(foldFrom(kept.length - 1, kept.length * APART));
    }
    return true;
  };
  return {
    towards,
    to(place) {
      towards(place, () => true);
      const head = stateAt(place);
      const run = foldFrom(Math.floor(place / APART), place);
      return takeNext(run, head === newest ? head : asThen(head), stateAt(place - 1));
    },
    isNextGone: (place) => place < turn.length - 1 && isGone(stateAt(place), stateAt(place + 1)),
  };
}

/**
 * Adds the states that followed the run, which others wrote: edits by hand, or runs that do not tell their tasks. Undefined
 * if the newest state does not follow from it in one line and without new input, or if its events do not tell so much.
 */
export function withLaterStates(run: StudioRun, history: readonly StateHead[]): StudioRun | undefined {
  const checkpoint = graphIn(run, "").checkpoint;
  const isTold = run.tellsTasks || ![...run.tasks].some(({ attempt }) => attempt > 0);
  if (!isTold || checkpoint === undefined) return undefined;
  for (const [index, head] of history.entries()) {
    if (checkpointIdOf(head.checkpoint) === checkpoint) {
      const later = history.slice(0, index).toReversed();
      return later.reduce<StudioRun>(takeState, run);
    }
    const before = checkpointIdOf(history[index + 1]?.checkpoint);
    if (isInput(head) || before === undefined || checkpointIdOf(head.parent_checkpoint) !== before) return undefined;
  }
  return undefined;
}

/** Removes what the tasks of a past state did, because that came after its moment. */
function asThen(head: StateHead): StateHead {
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
  return takeCheckpoint({ ...run, seen: run.seen + 1 }, state, {
    namespace: "",
    ...(at === undefined ? {} : { at }),
    isHistory: true,
  });
}

/** Adds a state to a run. If the graph no longer has the nodes that wrote it, its step tells so. */
function takeNext(run: StudioRun, state: StateHead, before: StateHead): StudioRun {
  const next = takeState(run, state);
  if (state === before || !isGone(before, state)) return next;
  const id = checkpointIdOf(state.checkpoint);
  const { steps } = next;
  const step = [steps.last, steps.at(steps.size - 2)].find((one) => one?.checkpoint === id);
  return step ? withStep(next, step, { isGone: true }) : next;
}

/** Returns whether a step followed although nothing was to come: the graph no longer has its nodes. */
function isGone(before: StateHead, after: StateHead): boolean {
  return (
    Array.isArray(before.next) &&
    before.next.length === 0 &&
    isObject(after.metadata) &&
    after.metadata.source === "loop"
  );
}

/** Tells the end as far as the newest state does: a task that failed, or nothing that is left to do. */
function ended(run: StudioRun): StudioRun {
  const failed = [...run.tasks].find((task) => task.status === "failed");
  if (failed) return { ...run, status: "error", ...(failed.error ? { error: failed.error } : {}) };
  return { ...run, status: run.next.length === 0 || run.interrupts.length > 0 ? "success" : "unknown" };
}

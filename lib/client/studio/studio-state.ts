import { createEmitter } from "../../rules/emitter.ts";
import type { StudioRun } from "../../rules/studio/run.ts";
import { addStates, type CheckpointLanes, NO_LANES } from "../../rules/studio/checkpoint-lanes.ts";
import { type StateHead, withNewer } from "../../rules/studio/state-heads.ts";
import type { Passed } from "../chat-state.ts";
import type { ListedThread } from "../listed-threads.ts";
import type { FollowEnd } from "../follow-run.ts";
import type { Interruption } from "../follow-to-end.ts";
import { HISTORY_PAGE } from "./api.ts";
import { NO_EVENTS, type RecentEvents } from "./recent-events.ts";

export interface StudioState {
  /** `none`: no thread is open. `gone`: it was deleted. `failed`: it could not be read. */
  readonly thread: "none" | "loading" | "here" | "gone" | "failed";
  readonly threadId?: string;
  /** The thread as the server has it, without its values; absent until its first run has begun. */
  readonly details?: ListedThread;
  /** Why the thread could not be read. */
  readonly reason?: string;
  /** The states of the thread that were read, newest first. */
  readonly history: readonly StateHead[];
  /** The checkpoints of `history` in lanes. */
  readonly lanes: CheckpointLanes;
  readonly hasOlder: boolean;
  /** The newest run, as far as its events tell; absent if its events were not stored. */
  readonly run?: StudioRun;
  readonly runId?: string;
  /** The events of `run`. */
  readonly events: RecentEvents;
  /** A run of this page is being started, or a run of the thread has not ended. */
  readonly isRunning: boolean;
  /** A cancellation was sent. */
  readonly isStopping: boolean;
  /** How following the run ended; absent while it is followed. */
  readonly end?: FollowEnd;
  /**
   * Tells what another client did with the thread whose questions were open here: it `answered` one, or `replaced` them
   * by a run of its own, or it did either before an answer of this page, which came too `late`. The next run of this page
   * clears it. `deleted`: another client deleted the thread, which was open here.
   */
  readonly passed?: Passed | "deleted";
  /** The run goes on, but its events do not arrive at the moment. */
  readonly interruption?: Interruption;
}

export const NO_THREAD: StudioState = {
  thread: "none",
  history: [],
  lanes: NO_LANES,
  hasOlder: false,
  events: NO_EVENTS,
  isRunning: false,
  isStopping: false,
};

/** Adds newer states to the history of a state. */
export function withNewerStates(
  { history, lanes }: StudioState,
  newer: readonly StateHead[],
): Pick<StudioState, "history" | "lanes"> {
  return { history: withNewer(history, newer), lanes: addStates(lanes, newer) };
}

/** Returns the history of a thread that has only these states, and older ones if they fill a page. */
export function onlyStates(states: readonly StateHead[]): Pick<StudioState, "history" | "lanes" | "hasOlder"> {
  return { history: states, lanes: addStates(NO_LANES, states), hasOlder: states.length === HISTORY_PAGE };
}

export type StudioStore = ReturnType<typeof studioStore>;

export function studioStore() {
  let current = NO_THREAD;
  const changes = createEmitter();
  return {
    state: (): StudioState => current,
    set(change: Partial<StudioState>): void {
      current = { ...current, ...change };
      changes.emit();
    },
    reset(state: StudioState): void {
      current = state;
      changes.emit();
    },
    /** Calls the listener after every change. Returns a function that unsubscribes it. */
    subscribe: (listener: () => void) => changes.on(listener),
  };
}

import { endStudioRun, foldRunEvents } from "../../rules/studio/fold.ts";
import { continueStudioRun } from "../../rules/studio/continue.ts";
import { beginStudioRun, type StudioRun } from "../../rules/studio/run.ts";
import { headOf, type StateHead } from "../../rules/studio/state-heads.ts";
import { checkpointIdOf } from "../../rules/threads/read-state.ts";
import type { ParsedEvent } from "../../rules/threads/transcript.ts";
import { createBatchedFold } from "../batched-fold.ts";
import { type RunToFollow, followToEnd } from "../follow-to-end.ts";
import { HISTORY_PAGE, type StudioApi } from "./api.ts";
import { addEvents, NO_EVENTS } from "./recent-events.ts";
import { endOf } from "./replay.ts";
import { onlyStates, type StudioState, type StudioStore, withNewerStates } from "./studio-state.ts";

/** A run that is followed. */
interface FollowedRun {
  readonly controller: AbortController;
  readonly thread: string;
  id?: string;
  isStopped: boolean;
}

interface FollowOptions {
  /** The run has not ended. */
  readonly isOpen: boolean;
  /** The runs of the turn before this one. */
  readonly before?: StudioRun | undefined;
}

/** A frame of the screen: a node is lit in the one after its event. */
const FLUSH_MS = 16;

const NO_RUN: Pick<StudioState, "run" | "runId" | "events"> = { run: undefined, runId: undefined, events: NO_EVENTS };

export type StudioFollower = ReturnType<typeof createStudioFollower>;

/** Follows one run at a time and keeps the store up to date with it. */
export function createStudioFollower({ base, api, store }: { base: string; api: StudioApi; store: StudioStore }) {
  let current: FollowedRun | undefined;

  async function follow(thread: string, begin: RunToFollow, { isOpen, before }: FollowOptions): Promise<boolean> {
    current?.controller.abort();
    const own: FollowedRun = { controller: new AbortController(), thread, isStopped: false };
    current = own;
    const isCurrent = (): boolean => current === own;
    const { runId } = store.state();
    store.set({ isRunning: isOpen, isStopping: false, end: undefined, interruption: undefined, runId: undefined });
    const { add, show } = createRunView(store, isOpen);
    const start = before ? continueStudioRun(before) : beginStudioRun();
    const fold = createBatchedFold(start, add, (run) => (isCurrent() ? show(run) : undefined), FLUSH_MS);
    const end = await followToEnd(base, thread, begin, {
      signal: own.controller.signal,
      onEvent: fold.add,
      onRun: (id) => {
        own.id = id;
        if (isCurrent() && store.state().runId !== id) store.set({ runId: id });
        if (own.isStopped) void sendCancel(api, own);
      },
      onConnection: (interruption) => {
        if (isCurrent() && store.state().interruption !== interruption) store.set({ interruption });
      },
    });
    await fold.settled();
    if (!isCurrent()) return false;
    current = undefined;
    const last = fold.finish();
    // A run that was not started leaves the one that is shown.
    if (own.id === undefined) store.set({ runId });
    else show(endStudioRun(last), true);
    const read = own.id === undefined ? undefined : await readEnd(api, thread, own.id);
    if (current || store.state().threadId !== thread) return false;
    // The newest run is then looked up again with the next connection.
    if (own.id !== undefined && !read) store.set({ runId: undefined });
    const isRolledBack = read !== undefined && !hasHead(read.states, store.state().history[0]);
    if (read) {
      const { details, states, status } = read;
      const run = endStudioRun(last, status);
      if (isRolledBack) store.set({ details, ...onlyStates(states), ...(isOpen ? NO_RUN : { run }) });
      else store.set({ details, ...withNewerStates(store.state(), states), run });
    }
    store.set({ end, isRunning: false, isStopping: false, interruption: undefined });
    return isRolledBack && isOpen;
  }

  return {
    /**
     * Follows a run to its end. Returns whether another client has rolled it back meanwhile: its states are then gone from
     * the thread, and which run came before it is to be read.
     */
    follow,
    /** Cancels the run. Its events are followed to the end. */
    async cancel(): Promise<void> {
      if (!current || current.isStopped) return;
      current.isStopped = true;
      store.set({ isStopping: true });
      await sendCancel(api, current);
    },
    /** Stops following the run, which continues. */
    leave(): void {
      current?.controller.abort();
      current = undefined;
    },
  };
}

/**
 * Folds the events of a run and shows in the store what they told. The states of a run that is not `isOpen` are shown at its
 * last event, because each change of the history orders and folds it anew.
 */
function createRunView(store: StudioStore, isOpen: boolean) {
  let events = NO_EVENTS;
  const notShown: ParsedEvent[] = [];
  const heads: StateHead[] = [];
  return {
    add(run: StudioRun, added: readonly ParsedEvent[]): StudioRun {
      notShown.push(...added);
      return foldRunEvents(run, added);
    },
    show(run: StudioRun, isLast = false): void {
      const added = notShown.splice(0);
      events = addEvents(events, added);
      heads.push(...added.flatMap((event) => headOf(event) ?? []));
      const states = isOpen || isLast ? withNewerStates(store.state(), heads.splice(0)) : {};
      store.set({ run, events, ...states });
    },
  };
}

/** Reads how a run ended, and the newest states: its events may not tell of the last one. Undefined if it cannot. */
async function readEnd(api: StudioApi, thread: string, run: string) {
  try {
    const [newest] = await api.newestRuns(thread, 1);
    const [details, states] = await Promise.all([api.thread(thread), api.history(thread)]);
    return { details, states, status: newest?.run_id === run ? endOf(newest.status) : undefined };
  } catch {
    // The state that the events gave stays, and the next call reports the failure.
    return undefined;
  }
}

/**
 * Returns whether a page of states holds the newest one that is known, or does not reach back to it. If not, a rollback has
 * removed that.
 */
function hasHead(states: readonly StateHead[], newest: StateHead | undefined): boolean {
  const id = checkpointIdOf(newest?.checkpoint);
  const ids = states.map(({ checkpoint }) => checkpointIdOf(checkpoint) ?? "");
  // Ids of checkpoints grow with time.
  const isLater = id !== undefined && ids.length === HISTORY_PAGE && (ids.at(-1) ?? "") > id;
  return id === undefined || isLater || ids.includes(id);
}

async function sendCancel(api: StudioApi, { thread, id }: FollowedRun): Promise<void> {
  if (id === undefined) return;
  // A run that has ended meanwhile cannot be cancelled, which its events tell.
  await api.cancel(thread, id).catch(() => undefined);
}

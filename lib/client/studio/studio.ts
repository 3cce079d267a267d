import type { JsonObject } from "../../protocol/json.ts";
import { answersInterrupts, interruptIds, isPassed } from "../../rules/interrupts/open-interrupts.ts";
import { addStates } from "../../rules/studio/checkpoint-lanes.ts";
import { pastRunsOf, withLaterStates } from "../../rules/studio/history.ts";
import type { StudioRun } from "../../rules/studio/run.ts";
import { withOlder } from "../../rules/studio/state-heads.ts";
import { checkpointIdOf } from "../../rules/threads/read-state.ts";
import { newId } from "../new-id.ts";
import { RequestFailure } from "../refusal.ts";
import { HISTORY_PAGE, type StateChange, type StudioApi, studioApi, type StudioRunSummary } from "./api.ts";
import { downloadThread } from "./download.ts";
import { createStudioFollower, type StudioFollower } from "./follower.ts";
import { NO_EVENTS } from "./recent-events.ts";
import { readThread } from "./read-thread.ts";
import { replayRuns } from "./replay.ts";
import { type RunOptions, runRequest, type RunStart } from "./request.ts";
import { NO_THREAD, type StudioState, type StudioStore, studioStore } from "./studio-state.ts";

export interface StudioSettings {
  /** The path of the deployment's API. */
  readonly base: string;
  /** Called when a run created the thread, with its id. */
  readonly onThread: (thread: string) => void;
  /** Called when a run has begun or ended. */
  readonly onChange?: () => void;
}

export interface Studio {
  readonly api: StudioApi;
  readonly state: () => StudioState;
  readonly subscribe: StudioStore["subscribe"];
  /** Shows a thread and follows its open run; undefined shows none. */
  readonly open: (thread: string | undefined) => Promise<void>;
  /**
   * Starts a run, on a new thread if none is open, and follows it to its end. `checkpoint`: where it starts, if not at the
   * newest. Returns false if no run was started.
   */
  readonly start: (start: RunStart, options: RunOptions, checkpoint?: string) => Promise<boolean>;
  readonly cancel: () => Promise<void>;
  readonly loadOlder: () => Promise<void>;
  /** Writes values to the thread's state. Returns the id of the new checkpoint. */
  readonly edit: (change: StateChange) => Promise<string>;
  /** Shows the newest run if another client has started one. */
  readonly lookAgain: () => Promise<void>;
  /** Copies the thread up to a checkpoint. Returns the id of the copy. */
  readonly copy: (checkpoint?: string) => Promise<string>;
  /** Returns the thread with its states as JSON text. */
  readonly download: () => Promise<string>;
  /** Shows no thread, and stops following its run, which continues. */
  readonly close: () => void;
}

interface StudioSession {
  readonly settings: StudioSettings;
  readonly api: StudioApi;
  readonly store: StudioStore;
  readonly follower: StudioFollower;
  /** The thread that is being read. */
  opening?: AbortController;
  /** The newest run is being looked up. */
  isLooking: boolean;
  /** The thread changed at a time when the newest run could not be looked up. */
  hasChanged: boolean;
  /** The run that was found last. */
  lookedAt?: string | undefined;
}

/** Creates the state of a studio page, which shows one thread at a time. */
export function createStudio(settings: StudioSettings): Studio {
  const api = studioApi(settings.base);
  const store = studioStore();
  const follower = createStudioFollower({ base: settings.base, api, store });
  const session: StudioSession = { settings, api, store, follower, isLooking: false, hasChanged: false };
  return {
    api,
    state: store.state,
    subscribe: store.subscribe,
    open: (thread) => open(session, thread),
    start: (begin, options, checkpoint) => start(session, begin, options, checkpoint),
    cancel: () => follower.cancel(),
    loadOlder: () => loadOlder(session),
    edit: (change) => edit(session, change),
    lookAgain: () => lookAgain(session),
    copy: async (checkpoint) => (await api.copy(threadOf(session), checkpoint)).thread_id,
    download: () => downloadThread(api, threadOf(session)),
    close: () => {
      follower.leave();
      session.opening?.abort();
      store.reset(NO_THREAD);
    },
  };
}

async function open(session: StudioSession, thread: string | undefined): Promise<void> {
  const { store, follower, api, settings } = session;
  follower.leave();
  session.opening?.abort();
  const opening = new AbortController();
  session.opening = opening;
  if (thread === undefined) return store.reset(NO_THREAD);
  if (store.state().threadId !== thread) store.reset({ ...NO_THREAD, thread: "loading", threadId: thread });
  try {
    const { turn, isOpen, ...read } = await readThread(api, thread);
    if (opening.signal.aborted) return;
    store.set({ thread: "here", reason: undefined, ...read });
    const last = turn.runs.at(-1);
    if (!last) {
      store.set({ run: undefined, runId: undefined, events: NO_EVENTS, isRunning: false });
      return lookOnceMore(session);
    }
    const before = await replayRuns(settings.base, thread, {
      before: turn.from === undefined ? undefined : pastRunsOf(read.history).runAt(turn.from),
      runs: turn.runs.slice(0, -1),
      signal: opening.signal,
    });
    if (opening.signal.aborted) return;
    const isRolledBack = await follower.follow(thread, { run: last.run_id }, { isOpen, before });
    if (isRolledBack) return await open(session, thread);
    lookOnceMore(session);
  } catch (error) {
    if (opening.signal.aborted) return;
    const { status, message } = failureOf(error);
    // 422: the id in the URL is not a UUID.
    store.set({ thread: status === 404 || status === 422 ? "gone" : "failed", reason: message });
  }
}

async function start(
  session: StudioSession,
  begin: RunStart,
  options: RunOptions,
  checkpoint?: string,
): Promise<boolean> {
  const { store, follower, api, settings } = session;
  const { threadId, isRunning } = store.state();
  if (isRunning) return false;
  // The reading that is under way is older than this run.
  session.opening?.abort();
  store.set({ isRunning: true, isStopping: false, end: undefined, passed: undefined });
  const thread = threadId ?? newId();
  try {
    if (threadId === undefined) {
      const metadata: JsonObject = { assistant_id: options.assistant };
      await api.createThread(thread, metadata);
      store.set({ thread: "here", threadId: thread });
      settings.onThread(thread);
    } else if ("resume" in begin && isPassed(await api.thread(thread), begin.resume)) {
      await showPassed(session, thread);
      return false;
    }
  } catch (error) {
    const { status, message } = failureOf(error);
    if (status === 404 && threadId !== undefined) {
      showDeleted(session, threadId);
      return false;
    }
    store.set({
      isRunning: false,
      end: status === 0 ? { how: "lost", before: true } : { how: "refused", status, message },
    });
    return false;
  }
  settings.onChange?.();
  const isRolledBack = await follower.follow(
    thread,
    { request: runRequest(begin, options, checkpoint), client: "studio" },
    { isOpen: true, before: hasInput(begin) ? undefined : ledTo(store.state(), checkpoint) },
  );
  settings.onChange?.();
  const { end } = store.state();
  if (isRolledBack) await open(session, thread);
  // Somebody else has answered, or started a run: the page shows what they did, and why this run was refused.
  if (end?.how === "refused" && (end.status === 409 || end.status === 422) && threadId !== undefined) {
    if ("resume" in begin) await showPassed(session, threadId);
    else {
      await open(session, threadId);
      store.set({ end });
    }
  }
  // The thread may have been deleted.
  if (end?.how === "refused" && end.status === 404 && threadId !== undefined) session.hasChanged = true;
  lookOnceMore(session);
  return end?.how !== "refused" && !(end?.how === "lost" && end.before);
}

/** A run without input goes on, as one that the form starts with `null`. */
const hasInput = (begin: RunStart): boolean => "input" in begin && (begin.input ?? null) !== null;

/** Returns what led to a checkpoint, or to the newest. */
function ledTo({ run, history }: StudioState, checkpoint: string | undefined): StudioRun | undefined {
  const newest = checkpointIdOf(history[0]?.checkpoint);
  const told = run && (checkpoint ?? newest) === newest ? withLaterStates(run, history) : undefined;
  return told ?? pastRunsOf(history).runAt(checkpoint ?? newest ?? "");
}

/** Shows what the thread does now, and that an answer of this page came too late. */
async function showPassed(session: StudioSession, thread: string): Promise<void> {
  session.store.set({ isRunning: false, passed: "late" });
  await open(session, thread);
}

/** Shows that another client has deleted the thread: with it went its questions and its state. */
function showDeleted({ store, follower }: StudioSession, thread: string): void {
  const { threadId, isRunning, runId } = store.state();
  // A run that is followed here ends first.
  if (threadId !== thread || (isRunning && runId !== undefined)) return;
  follower.leave();
  store.reset({ ...NO_THREAD, thread: "gone", threadId: thread, passed: "deleted" });
}

/** Returns whether the page shows this run: it was followed here, or its events were not stored and it ended before. */
function isShown({ run_id, created_at }: StudioRunSummary, { run, runId, details }: StudioState): boolean {
  if (run_id === runId) return true;
  return run === undefined && runId === undefined && details !== undefined && created_at <= details.updated_at;
}

async function lookAgain(session: StudioSession): Promise<void> {
  const { store, api } = session;
  const { threadId, thread, isRunning } = store.state();
  if (threadId !== undefined && thread === "failed") return await open(session, threadId);
  if (threadId === undefined || thread === "gone") return;
  if (thread !== "here" || isRunning || session.isLooking) {
    session.hasChanged = true;
    return;
  }
  session.isLooking = true;
  try {
    const [newest] = await api.newestRuns(threadId, 1);
    const now = store.state();
    const isNew = newest !== undefined && newest.run_id !== session.lookedAt && !isShown(newest, now);
    session.lookedAt = newest?.run_id;
    if (!isNew || now.threadId !== threadId || now.isRunning) return;
    if (now.passed !== "late" && interruptIds(now.details?.interrupts ?? {}).length > 0)
      store.set({ passed: answersInterrupts(newest.kwargs) ? "answered" : "replaced" });
    void open(session, threadId);
  } catch (error) {
    // A lost connection is told of elsewhere, and the next change is another chance.
    if (failureOf(error).status === 404) showDeleted(session, threadId);
  } finally {
    session.isLooking = false;
    lookOnceMore(session);
  }
}

/** Looks up the newest run if the thread has changed while that was not possible. */
function lookOnceMore(session: StudioSession): void {
  if (!session.hasChanged) return;
  session.hasChanged = false;
  void lookAgain(session);
}

async function loadOlder({ store, api }: StudioSession): Promise<void> {
  const { threadId, history, hasOlder } = store.state();
  const last = history.at(-1);
  if (!hasOlder || threadId === undefined || !last) return;
  const before = checkpointIdOf(last.checkpoint);
  // The rest can be read by the next try: the timeline says that there is more.
  const older = await api.history(threadId, before).catch(() => undefined);
  if (!older) return;
  const now = store.state();
  if (now.threadId !== threadId) return;
  store.set({
    history: withOlder(now.history, older),
    lanes: addStates(now.lanes, older),
    hasOlder: older.length === HISTORY_PAGE,
  });
}

async function edit(session: StudioSession, change: StateChange): Promise<string> {
  const thread = threadOf(session);
  const { checkpoint } = await session.api.updateState(thread, change);
  await open(session, thread);
  return checkpoint.checkpoint_id;
}

function threadOf({ store }: StudioSession): string {
  const { threadId } = store.state();
  if (threadId === undefined) throw new RequestFailure(0, "No thread is open.");
  return threadId;
}

function failureOf(error: unknown): RequestFailure {
  return error instanceof RequestFailure ? error : new RequestFailure(0, String(error));
}

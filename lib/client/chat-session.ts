/** The calls of a chat share this: the conversation that is shown, and the run that is followed. */
import { answersInterrupts } from "../rules/interrupts/open-interrupts.ts";
import type { Turn } from "../rules/threads/transcript.ts";
import type { ChatExchange, ChatState, ChatStore } from "./chat-state.ts";
import { readConversation } from "./conversation.ts";
import type { FollowEnd, RunRequest } from "./follow-run.ts";
import type { RunToFollow } from "./follow-to-end.ts";
import { RequestFailure } from "./refusal.ts";
import type { RunFollower } from "./run-follower.ts";
import type { ThreadApi } from "./threads.ts";

export interface ChatSettings {
  /** The path of the deployment's API. */
  readonly base: string;
  readonly thread: string;
  /** Set if the thread is created with the first question. */
  readonly isNew: boolean;
  /** The checkpoint to show; left out for the newest. */
  readonly checkpoint?: string;
  readonly assistant: string;
  /** Called when a run has begun or ended. */
  readonly onChange?: () => void;
}

export interface ChatSession {
  readonly settings: ChatSettings;
  readonly api: ThreadApi;
  readonly store: ChatStore;
  readonly follower: RunFollower;
  /** Set once the thread exists. */
  threadExists: boolean;
  /** The newest reading of the thread, unless a run was started since. */
  opening?: object;
  /** The newest run that is known. */
  seen?: string | undefined;
  /** The newest run is being looked up. */
  isLooking: boolean;
  /** The thread changed at a time when the newest run could not be looked up. */
  hasChanged: boolean;
  /** The checkpoint from which the last question was asked, and its id. It is asked from there again if it fails. */
  asked?: { readonly id: string; readonly checkpoint?: string };
}

const ENDED: FollowEnd = { how: "ended" };

/** All runs of a chat are started with this. */
export const REQUEST: Omit<RunRequest, "assistant_id"> = {
  stream_mode: ["messages-tuple", "values"],
  // The events are stored, so that a page that is opened again receives all of them.
  stream_resumable: true,
  on_disconnect: "continue",
  multitask_strategy: "reject",
};

/** Shows the newest state of the thread, or that at a checkpoint, and follows the run that is open there. */
export async function open(session: ChatSession, checkpoint?: string): Promise<void> {
  const { api, settings, store, follower } = session;
  follower.leave();
  const isEmpty = store.state().exchanges.length === 0;
  store.set({ interruption: undefined, ...(isEmpty && { thread: "loading" }) });
  const own = {};
  session.opening = own;
  try {
    const { turns, run, newest } = await readConversation(api, settings.thread, checkpoint);
    // Another checkpoint has been chosen meanwhile, or a run was started.
    if (session.opening !== own) return;
    session.seen = newest;
    const exchanges = turns.map((turn): ChatExchange => ({ turn, end: ENDED }));
    store.set({ exchanges, checkpoint, thread: "here", reason: undefined });
    const last = turns.at(-1);
    if (!run || !last) return void (session.hasChanged && lookAgain(session));
    const before = exchanges.slice(0, -1);
    const end = await follow(session, before, last, { run: run.id });
    if (run.isOpen || end.how === "stopped") return;
    // Events of the run may be missing by now, but the thread's state is complete.
    const turn = store.state().exchanges.at(-1)?.turn ?? last;
    store.set({ exchanges: [...before, { turn, end: run.stopped ? { how: "stopped" } : ENDED }] });
  } catch (error) {
    if (session.opening !== own) return;
    const { status, message } = refusalOf(error);
    // 422: the id in the address is not a UUID.
    const isMissing = status === 404 || status === 422;
    // The checkpoint may be gone while its thread is there.
    if (isMissing && checkpoint !== undefined) return open(session);
    store.set({ thread: isMissing ? "gone" : "failed", reason: message });
  }
}

/** Follows a run. What another client did meanwhile is shown after it. */
export async function follow(
  session: ChatSession,
  before: readonly ChatExchange[],
  turn: Turn,
  begin: RunToFollow,
): Promise<FollowEnd> {
  const { api, settings, seen } = session;
  const find = async (request: RunRequest) =>
    (await import("./find-run.ts")).findRun(api, { thread: settings.thread, seen, request });
  const run = "request" in begin ? { ...begin, find: () => find(begin.request) } : begin;
  const end = await session.follower.follow(before, turn, run);
  if (session.hasChanged) void lookAgain(session);
  return end;
}

/** Looks up the newest run, and shows it. Nothing changes while a run is followed, or an older branch is shown. */
export async function lookAgain(session: ChatSession): Promise<void> {
  const { api, settings, store } = session;
  const { thread, running, checkpoint } = store.state();
  if (thread === "failed") return await open(session, checkpoint);
  if (thread === "gone" || !session.threadExists) return;
  session.hasChanged = thread === "loading" || running || session.isLooking;
  if (session.hasChanged) return;
  session.isLooking = true;
  try {
    const newest = await api.findNewestRun(settings.thread);
    if (newest !== undefined && newest.run_id !== session.seen && isSettled(store.state())) {
      if (waits(store.state())) store.set({ passed: answersInterrupts(newest.kwargs) ? "answered" : "replaced" });
      void open(session);
    }
  } catch {
    // A lost connection is told of elsewhere, and the next change is another chance.
  } finally {
    session.isLooking = false;
  }
  if (session.hasChanged) await lookAgain(session);
}

/** Returns whether the page shows the newest branch, and all of it came from the server. */
function isSettled({ exchanges, running, checkpoint }: ChatState): boolean {
  const how = exchanges.at(-1)?.end?.how;
  return !running && checkpoint === undefined && how !== "refused" && how !== "lost";
}

const waits = ({ exchanges, passed }: ChatState): boolean =>
  passed !== "late" && (exchanges.at(-1)?.turn.interrupts.length ?? 0) > 0;

export function refusalOf(error: unknown): RequestFailure {
  return error instanceof RequestFailure ? error : new RequestFailure(0, String(error));
}

import { INTERRUPT_ID } from "../rules/interrupts/open-interrupts.ts";
import { type Question, questionMessage } from "../rules/threads/attachments.ts";
import { beginRun, beginTurn, questionOf, type Turn } from "../rules/threads/transcript.ts";
import { type ChatState, type ChatStore, chatStore, type ChatExchange } from "./chat-state.ts";
import { readConversation } from "./conversation.ts";
import type { FollowEnd, RunRequest } from "./follow-run.ts";
import { createRunFollower, type RunFollower } from "./run-follower.ts";
import { newId } from "./new-id.ts";
import type { MessageOrigin } from "./thread-history.ts";
import { type ThreadApi, threadApi, titleFrom } from "./threads.ts";
import { RequestFailure } from "./refusal.ts";

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

export interface Chat {
  readonly thread: string;
  readonly api: ThreadApi;
  readonly state: () => ChatState;
  readonly set: ChatStore["set"];
  readonly subscribe: ChatStore["subscribe"];
  /** Reads the thread, and follows the run that is going on there; or shows it as it was at a checkpoint. */
  readonly open: (checkpoint?: string) => Promise<void>;
  readonly send: (question: string | Question) => Promise<void>;
  /** Asks a question again, or a changed one. Its answer and all later turns are dropped. */
  readonly askAgain: (id: string, question?: string | Question) => Promise<void>;
  /** Resumes the last run with the answer to an interrupt. */
  readonly answer: (interrupt: string, value: unknown) => Promise<void>;
  readonly stop: () => void;
  /** Stops following the run, which continues. */
  readonly leave: () => void;
}

interface ChatSession {
  readonly settings: ChatSettings;
  readonly api: ThreadApi;
  readonly store: ChatStore;
  readonly follower: RunFollower;
  /** Set once the thread exists. */
  threadExists: boolean;
  /** The newest reading of the thread, unless a run was started since. */
  opening?: object;
  /** The checkpoint from which the last question was asked, and its id. It is asked from there again if it fails. */
  asked?: { readonly id: string; readonly checkpoint?: string };
}

/** Creates a conversation with one assistant on one thread. */
export function createChat(settings: ChatSettings): Chat {
  const { base, thread, isNew, onChange = () => {} } = settings;
  const api = threadApi(base);
  const store = chatStore(isNew, settings.checkpoint);
  const follower = createRunFollower({ base, thread, api, store, onChange });
  const session: ChatSession = { settings, api, store, follower, threadExists: !isNew };
  return {
    thread,
    api,
    state: store.state,
    set: store.set,
    subscribe: store.subscribe,
    open: (checkpoint) => open(session, checkpoint),
    send: (question) => send(session, question),
    askAgain: (id, question) => askAgain(session, id, question),
    answer: (interrupt, value) => answer(session, interrupt, value),
    stop: follower.stop,
    leave: follower.leave,
  };
}

const ENDED: FollowEnd = { how: "ended" };

const REQUEST: Omit<RunRequest, "assistant_id"> = {
  stream_mode: ["messages-tuple", "values"],
  // The events are stored, so that a page that is opened again receives all of them.
  stream_resumable: true,
  on_disconnect: "continue",
  multitask_strategy: "reject",
};

async function open(session: ChatSession, checkpoint?: string): Promise<void> {
  const { api, settings, store, follower } = session;
  follower.leave();
  const isEmpty = store.state().exchanges.length === 0;
  store.set({ interruption: undefined, ...(isEmpty && { thread: "loading" }) });
  const own = {};
  session.opening = own;
  try {
    const { turns, run } = await readConversation(api, settings.thread, checkpoint);
    // Another checkpoint has been chosen meanwhile, or a run was started.
    if (session.opening !== own) return;
    const exchanges = turns.map((turn): ChatExchange => ({ turn, end: ENDED }));
    store.set({ exchanges, checkpoint, thread: "here", reason: undefined });
    const last = turns.at(-1);
    if (!run || !last) return;
    const before = exchanges.slice(0, -1);
    const end = await follower.follow(before, last, { run: run.id });
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

async function send(session: ChatSession, question: string | Question): Promise<void> {
  const { exchanges, running, thread, checkpoint } = session.store.state();
  if (running || thread !== "here") return;
  // A new question drops the interrupts that were open.
  const before = exchanges.map(({ turn, end }): ChatExchange => ({ turn: { ...turn, interrupts: [] }, end }));
  await ask(session, beginTurn(newId(), question, turnsIn(before)), before, checkpoint);
}

async function ask(
  session: ChatSession,
  turn: Turn,
  before: readonly ChatExchange[],
  checkpoint?: string,
): Promise<void> {
  const { api, store, follower, settings } = session;
  const question = questionOf(turn);
  session.opening = undefined;
  session.asked = { id: turn.id, checkpoint };
  store.set({ exchanges: [...before, { turn }] });
  try {
    if (!session.threadExists) {
      const title = titleFrom(question.text) || titleFrom(question.attachments[0]?.name ?? "");
      await api.create(settings.thread, { assistant_id: settings.assistant, title });
      session.threadExists = true;
    }
  } catch (error) {
    store.set({ exchanges: [...before, { turn, end: endOf(error) }] });
    return;
  }
  await follower.follow(before, turn, {
    client: "chat",
    request: {
      ...REQUEST,
      assistant_id: settings.assistant,
      input: { messages: [questionMessage(turn.id, question)] },
      ...(checkpoint !== undefined && { checkpoint_id: checkpoint }),
    },
  });
}

/** Asks a question again in a fork of the thread, at the checkpoint before the question. */
async function askAgain(session: ChatSession, id: string, question?: string | Question): Promise<void> {
  const { exchanges, running, checkpoint: shown } = session.store.state();
  const index = exchanges.findIndex((one) => one.turn.id === id);
  const asked = exchanges[index];
  if (!asked || running) return;
  const before = exchanges.slice(0, index);
  const turn = beginTurn(id, question ?? questionOf(asked.turn), turnsIn(before));
  session.opening = undefined;
  session.store.set({ exchanges: [...before, { turn }] });
  let origin: MessageOrigin | undefined;
  try {
    const { originOf } = await import("./thread-history.ts");
    if (session.threadExists) origin = await originOf(session.api, session.settings.thread, id, shown);
  } catch (error) {
    session.store.set({ exchanges: [...before, { turn, end: endOf(error) }] });
    return;
  }
  // The server did receive the question, although its answer was lost.
  if (origin && asked.end?.how === "lost" && question === undefined) return open(session);
  // A message replaces the message of the state that has its id. With a new id, it is added at the end.
  if (origin?.before !== undefined) return await ask(session, { ...turn, id: newId() }, before, origin.before);
  await ask(session, turn, before, session.asked?.id === id ? session.asked.checkpoint : shown);
}

async function answer(session: ChatSession, interrupt: string, value: unknown): Promise<void> {
  const { exchanges, running, checkpoint } = session.store.state();
  const last = exchanges.at(-1);
  if (!last || running) return;
  session.opening = undefined;
  const before = exchanges.slice(0, -1);
  // Interrupts of older LangGraph have no ids. The answer then goes to the first of them, and the others ask again.
  const isKeyed = last.turn.interrupts.length > 1 && INTERRUPT_ID.test(interrupt);
  const resume = isKeyed ? { [interrupt]: value } : value;
  const request = {
    ...REQUEST,
    assistant_id: session.settings.assistant,
    command: { resume },
    ...(checkpoint !== undefined && { checkpoint_id: checkpoint }),
  };
  const end = await session.follower.follow(before, beginRun(last.turn), { client: "chat", request });
  // The interrupt has been answered elsewhere meanwhile.
  if (end.how === "refused" && (end.status === 409 || end.status === 422)) await open(session, checkpoint);
  // The server did not take the answer, so it can be given again.
  else if (end.how === "refused" || end.how === "lost") session.store.set({ exchanges: [...before, { ...last, end }] });
}

const turnsIn = (exchanges: readonly ChatExchange[]): Turn[] => exchanges.map((one) => one.turn);

function refusalOf(error: unknown): RequestFailure {
  return error instanceof RequestFailure ? error : new RequestFailure(0, String(error));
}

function endOf(error: unknown): FollowEnd {
  const { status, message } = refusalOf(error);
  return status === 0 ? { how: "lost", before: true, isUnsent: true } : { how: "refused", status, message };
}

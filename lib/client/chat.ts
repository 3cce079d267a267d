import { type Question, questionMessage } from "../rules/threads/attachments.ts";
import { beginTurn, questionOf, type Turn } from "../rules/threads/transcript.ts";
import { answer } from "./chat-answer.ts";
import { type ChatSession, type ChatSettings, follow, lookAgain, open, refusalOf, REQUEST } from "./chat-session.ts";
import { type ChatExchange, type ChatState, type ChatStore, chatStore } from "./chat-state.ts";
import type { FollowEnd } from "./follow-run.ts";
import { newId } from "./new-id.ts";
import { createRunFollower } from "./run-follower.ts";
import type { MessageOrigin } from "./thread-history.ts";
import { type ThreadApi, threadApi, titleFrom } from "./threads.ts";

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
  /** Resumes the last run with the answer to an interrupt. Returns whether the server took it. */
  readonly answer: (interrupt: string, value: unknown) => Promise<boolean>;
  /** Shows what another client has done in the thread. Called when threads of the deployment have changed. */
  readonly lookAgain: () => Promise<void>;
  readonly stop: () => void;
  /** Stops following the run, which continues. */
  readonly leave: () => void;
}

/** Creates a conversation with one assistant on one thread. */
export function createChat(settings: ChatSettings): Chat {
  const { base, thread, isNew, onChange = () => {} } = settings;
  const api = threadApi(base);
  const store = chatStore(isNew, settings.checkpoint);
  const onRun = (run: string): void => {
    session.seen = run;
  };
  const follower = createRunFollower({ base, thread, api, store, onRun, onChange });
  const known = { threadExists: !isNew, isLooking: false, hasChanged: false };
  const session: ChatSession = { settings, api, store, follower, ...known };
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
    lookAgain: () => lookAgain(session),
    stop: follower.stop,
    leave: follower.leave,
  };
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
  const { api, store, settings } = session;
  const question = questionOf(turn);
  session.opening = undefined;
  session.asked = { id: turn.id, checkpoint };
  store.set({ exchanges: [...before, { turn }], passed: undefined });
  try {
    if (!session.threadExists) {
      await api.create(settings.thread, { assistant_id: settings.assistant, title: titleOfQuestion(question) });
      session.threadExists = true;
    }
  } catch (error) {
    store.set({ exchanges: [...before, { turn, end: endOf(error) }] });
    return;
  }
  await follow(session, before, turn, {
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
    const { originOf, retitle } = await import("./thread-history.ts");
    if (session.threadExists) {
      const { api, settings } = session;
      origin = await originOf(api, settings.thread, id, shown);
      // A thread is called by its first question.
      const [title, next] = [asked.turn, turn].map((one) => titleOfQuestion(questionOf(one)));
      if (index === 0) await retitle(api, settings.thread, title ?? "", next ?? "");
    }
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

const titleOfQuestion = ({ text, attachments }: Question): string =>
  titleFrom(text) || titleFrom(attachments[0]?.name ?? "");

const turnsIn = (exchanges: readonly ChatExchange[]): Turn[] => exchanges.map((one) => one.turn);

function endOf(error: unknown): FollowEnd {
  const { status, message } = refusalOf(error);
  return status === 0 ? { how: "lost", before: true, isUnsent: true } : { how: "refused", status, message };
}

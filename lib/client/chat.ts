import { INTERRUPT_ID } from "../rules/interrupts/open-interrupts.ts";
import { beginRun, beginTurn, type Turn } from "../rules/threads/transcript.ts";
import { type ChatState, type ChatStore, chatStore, type ChatExchange } from "./chat-state.ts";
import { checkpointBefore, readConversation } from "./conversation.ts";
import type { FollowEnd, RunRequest } from "./follow-run.ts";
import { createRunFollower, type RunFollower } from "./run-follower.ts";
import { newId } from "./new-id.ts";
import { type ThreadApi, threadApi, titleFrom } from "./threads.ts";
import { RequestFailure } from "./refusal.ts";

export interface ChatOptions {
  /** Of the deployment's API. */
  readonly base: string;
  readonly thread: string;
  /** Whether the thread is to be made with the first question. */
  readonly isNew: boolean;
  readonly assistant: string;
  /** A run has begun or ended. */
  readonly onChange?: () => void;
}

export interface Chat {
  readonly state: () => ChatState;
  readonly subscribe: ChatStore["subscribe"];
  /** Reads the thread, and hears the run that is going on there. */
  readonly open: () => Promise<void>;
  readonly send: (question: string) => Promise<void>;
  /** Asks a question again, in other words where given; its answer and what came after it go. */
  readonly askAgain: (id: string, question?: string) => Promise<void>;
  /** Gives what the last run waits for. */
  readonly answer: (interrupt: string, value: unknown) => Promise<void>;
  readonly stop: () => void;
  /** Stops listening. The run goes on. */
  readonly leave: () => void;
}

interface ChatSession {
  readonly place: ChatOptions;
  readonly api: ThreadApi;
  readonly store: ChatStore;
  readonly hearing: RunFollower;
  /** Whether there is a thread. */
  made: boolean;
}

/** A conversation with one assistant on one thread. */
export function createChat(place: ChatOptions): Chat {
  const { base, thread, isNew, onChange = () => {} } = place;
  const api = threadApi(base);
  const store = chatStore(isNew);
  const hearing = createRunFollower({ base, thread, api, store, onChange });
  const room: ChatSession = { place, api, store, hearing, made: !isNew };
  return {
    state: store.state,
    subscribe: store.subscribe,
    open: () => open(room),
    send: (question) => send(room, question),
    askAgain: (id, question) => askAgain(room, id, question),
    answer: (interrupt, value) => answer(room, interrupt, value),
    stop: hearing.stop,
    leave: hearing.leave,
  };
}

const ENDED: FollowEnd = { how: "ended" };

const REQUEST: Omit<RunRequest, "assistant_id"> = {
  stream_mode: ["messages-tuple", "values"],
  // Its events are kept, so that a page that comes back hears all of them.
  stream_resumable: true,
  on_disconnect: "continue",
  multitask_strategy: "reject",
};

async function open({ api, place, store, hearing }: ChatSession): Promise<void> {
  hearing.leave();
  if (store.state().exchanges.length === 0) store.set({ thread: "loading" });
  try {
    const { turns, run } = await readConversation(api, place.thread);
    const exchanges = turns.map((turn): ChatExchange => ({ turn, end: ENDED }));
    store.set({ exchanges, thread: "here", reason: undefined });
    const last = turns.at(-1);
    if (!run || !last) return;
    const before = exchanges.slice(0, -1);
    const end = await hearing.hear(before, last, { run: run.id });
    if (run.isOpen || end.how === "stopped") return;
    // What it told may not be there any more; what the state holds is.
    const turn = store.state().exchanges.at(-1)?.turn ?? last;
    store.set({ exchanges: [...before, { turn, end: run.stopped ? { how: "stopped" } : ENDED }] });
  } catch (error) {
    const { status, message } = refusalOf(error);
    // 422: what the address says is not the id of any thread.
    store.set({ thread: status === 404 || status === 422 ? "gone" : "failed", reason: message });
  }
}

async function send(room: ChatSession, question: string): Promise<void> {
  const { exchanges, running, thread } = room.store.state();
  if (running || thread !== "here") return;
  // A new question leaves what was waited for behind.
  const before = exchanges.map(({ turn, end }): ChatExchange => ({ turn: { ...turn, interrupts: [] }, end }));
  await ask(room, beginTurn(newId(), question, turnsIn(before)), before);
}

async function ask(
  room: ChatSession,
  turn: Turn,
  before: readonly ChatExchange[],
  checkpoint_id?: string,
): Promise<void> {
  const { api, store, hearing, place } = room;
  store.set({ exchanges: [...before, { turn }] });
  try {
    if (!room.made) {
      await api.create(place.thread, { assistant_id: place.assistant, title: titleFrom(turn.question) });
      room.made = true;
    }
  } catch (error) {
    store.set({ exchanges: [...before, { turn, end: endOf(error) }] });
    return;
  }
  const input = { messages: [{ type: "human", id: turn.id, content: turn.question }] };
  await hearing.hear(before, turn, {
    request: {
      ...REQUEST,
      assistant_id: place.assistant,
      input,
      ...(checkpoint_id !== undefined && { checkpoint_id }),
    },
  });
}

/** As a fork: at the checkpoint before the question. */
async function askAgain(room: ChatSession, id: string, question?: string): Promise<void> {
  const { exchanges, running } = room.store.state();
  const index = exchanges.findIndex((one) => one.turn.id === id);
  const asked = exchanges[index];
  if (!asked || running) return;
  const before = exchanges.slice(0, index);
  const words = question ?? asked.turn.question;
  const turn = beginTurn(id, words, turnsIn(before));
  room.store.set({ exchanges: [...before, { turn }] });
  let checkpoint: string | undefined;
  try {
    if (room.made) checkpoint = await checkpointBefore(room.api, room.place.thread, id);
  } catch (error) {
    room.store.set({ exchanges: [...before, { turn, end: endOf(error) }] });
    return;
  }
  // It was heard after all, though its answer could not be.
  if (checkpoint !== undefined && asked.end?.how === "lost" && question === undefined) return open(room);
  // A message of an id that the state holds takes the place of that one; of a new id, it comes after all others.
  await ask(room, checkpoint === undefined ? turn : { ...turn, id: newId() }, before, checkpoint);
}

async function answer(room: ChatSession, interrupt: string, value: unknown): Promise<void> {
  const { exchanges, running } = room.store.state();
  const last = exchanges.at(-1);
  if (!last || running) return;
  const before = exchanges.slice(0, -1);
  // Interrupts of older LangGraph have no ids: an answer goes to the first of them, and the others ask again.
  const isKeyed = last.turn.interrupts.length > 1 && INTERRUPT_ID.test(interrupt);
  const resume = isKeyed ? { [interrupt]: value } : value;
  const request = { ...REQUEST, assistant_id: room.place.assistant, command: { resume } };
  const end = await room.hearing.hear(before, beginRun(last.turn), { request });
  // Answered elsewhere meanwhile.
  if (end.how === "refused" && (end.status === 409 || end.status === 422)) await open(room);
  // Not heard: it can be given again.
  else if (end.how === "refused" || end.how === "lost") room.store.set({ exchanges: [...before, { ...last, end }] });
}

const turnsIn = (exchanges: readonly ChatExchange[]): Turn[] => exchanges.map((one) => one.turn);

function refusalOf(error: unknown): RequestFailure {
  return error instanceof RequestFailure ? error : new RequestFailure(0, String(error));
}

function endOf(error: unknown): FollowEnd {
  const { status, message } = refusalOf(error);
  return status === 0 ? { how: "lost", before: true } : { how: "refused", status, message };
}

import { isObject, type JsonObject } from "../protocol/json.ts";
import {
  beginRun,
  beginTurn,
  type TurnInterrupt,
  interruptsOf,
  textOf,
  type Turn,
  turnsOf,
} from "../rules/threads/transcript.ts";
import { newId } from "./new-id.ts";
import type { RunSummary, ThreadApi, ThreadSnapshot } from "./threads.ts";

/** A conversation as the server has it. */
export interface Conversation {
  /** If there is a `run`, it continues the last turn. */
  readonly turns: readonly Turn[];
  /** The run to follow from its beginning, because it is open or ended without an answer. Its events say how it ended. */
  readonly run?: { readonly id: string; readonly isOpen: boolean; readonly stopped: boolean };
}

/** Reads the conversation of a thread. Throws a `RequestFailure`. */
export async function readConversation(api: ThreadApi, thread: string): Promise<Conversation> {
  // The run is read first. The state is then complete for a run that has ended and is not followed.
  const run = await api.newestRun(thread);
  const isOpen = run?.status === "running" || run?.status === "pending";
  const fork = run && isOpen ? forkOf(run) : undefined;
  const state = await api.state(thread, fork);
  const turns = turnsOf(messagesOf(state));
  const waiting = interruptsOf(state.tasks);
  if (!run || run.status === "success" || (!isOpen && waiting.length > 0))
    return { turns: withWaiting(turns, waiting) };
  return { turns: withQuestion(turns, run), run: { id: run.run_id, isOpen, stopped: run.status === "interrupted" } };
}

function messagesOf({ values }: ThreadSnapshot): readonly JsonObject[] {
  return isObject(values) && Array.isArray(values.messages) ? values.messages.filter(isObject) : [];
}

function withWaiting(turns: readonly Turn[], interrupts: readonly TurnInterrupt[]): readonly Turn[] {
  if (interrupts.length === 0) return turns;
  const last = turns.at(-1) ?? beginTurn(newId(), "", []);
  return [...turns.slice(0, -1), { ...last, interrupts }];
}

/** Adds the question of a run, which may not be in the state yet. A run without one continues the last turn. */
function withQuestion(turns: readonly Turn[], run: RunSummary): readonly Turn[] {
  const kwargs = isObject(run.kwargs) ? run.kwargs : {};
  const input = isObject(kwargs.input) && Array.isArray(kwargs.input.messages) ? kwargs.input.messages : [];
  const question = input.findLast(isObject);
  const last = turns.at(-1);
  const text = question ? textOf(question.content) : "";
  if (last && (!question || last.id === question.id || (typeof question.id !== "string" && last.question === text))) {
    return [...turns.slice(0, -1), beginRun(last)];
  }
  const id = typeof question?.id === "string" ? question.id : newId();
  return [...turns, beginTurn(id, text, turns)];
}

/** Returns the checkpoint at which a run was started; undefined for the newest. */
function forkOf({ kwargs }: RunSummary): string | undefined {
  const config = isObject(kwargs) && isObject(kwargs.config) ? kwargs.config : {};
  const id = isObject(config.configurable) ? config.configurable.checkpoint_id : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

const PAGE = 20;

/**
 * Returns the last checkpoint before a message came into the state, so that a run that starts there does not see it.
 * Undefined if no state has the message. Throws a `RequestFailure`.
 */
export async function checkpointBefore(api: ThreadApi, thread: string, message: string): Promise<string | undefined> {
  let first: ThreadSnapshot | undefined;
  let before: string | undefined;
  do {
    const page = await api.history(thread, PAGE, before);
    for (const state of page) {
      if (messagesOf(state).some((one) => one.id === message)) first = state;
      else if (first) return idOf(first.parent_checkpoint);
    }
    before = page.length === PAGE ? idOf(page.at(-1)?.checkpoint) : undefined;
  } while (before !== undefined);
  return idOf(first?.parent_checkpoint);
}

function idOf(checkpoint: unknown): string | undefined {
  return isObject(checkpoint) && typeof checkpoint.checkpoint_id === "string" ? checkpoint.checkpoint_id : undefined;
}

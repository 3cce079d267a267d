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
  /** The last of them is the one that `run` goes on with, where there is one. */
  readonly turns: readonly Turn[];
  /** To be heard from its beginning: it goes on, or it ended otherwise than with an answer, and its events say how. */
  readonly run?: { readonly id: string; readonly isOpen: boolean; readonly stopped: boolean };
}

/** Throws a `RequestFailure`. */
export async function readConversation(api: ThreadApi, thread: string): Promise<Conversation> {
  // The run first: a state that is read after it holds all that a run told which is not heard again.
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

/** The question of a run may not be in the state yet. A run without one goes on with the last turn. */
function withQuestion(turns: readonly Turn[], run: RunSummary): readonly Turn[] {
  const kwargs = isObject(run.kwargs) ? run.kwargs : {};
  const input = isObject(kwargs.input) && Array.isArray(kwargs.input.messages) ? kwargs.input.messages : [];
  const asked = input.findLast(isObject);
  const last = turns.at(-1);
  const text = asked ? textOf(asked.content) : "";
  if (last && (!asked || last.id === asked.id || (typeof asked.id !== "string" && last.question === text))) {
    return [...turns.slice(0, -1), beginRun(last)];
  }
  const id = typeof asked?.id === "string" ? asked.id : newId();
  return [...turns, beginTurn(id, text, turns)];
}

/** The checkpoint that a run was started at, where it was not the newest. */
function forkOf({ kwargs }: RunSummary): string | undefined {
  const config = isObject(kwargs) && isObject(kwargs.config) ? kwargs.config : {};
  const place = isObject(config.configurable) ? config.configurable.checkpoint_id : undefined;
  return typeof place === "string" && place !== "" ? place : undefined;
}

const PAGE = 20;

/**
 * The checkpoint before a message came into the state: a run that starts there has not heard it. Undefined when the
 * message is in no state. Throws a `RequestFailure`.
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

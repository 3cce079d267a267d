import { isObject, type JsonObject } from "../protocol/json.ts";
import { readQuestion } from "../rules/threads/attachments.ts";
import { beginRun, beginTurn, interruptsOf, type Turn, turnsOf } from "../rules/threads/transcript.ts";
import { newId } from "./new-id.ts";
import type { RunSummary, ThreadApi, ThreadSnapshot } from "./threads.ts";

/** A conversation as the server has it. */
export interface Conversation {
  /** If there is a `run`, it continues the last turn. */
  readonly turns: readonly Turn[];
  /** The run to follow from its beginning, because it is open or ended without an answer. Its events say how it ended. */
  readonly run?: { readonly id: string; readonly isOpen: boolean; readonly stopped: boolean };
  /** The newest run of the thread, if there is one and the newest state was read. */
  readonly newest?: string | undefined;
}

/** Reads the conversation of a thread, as it is or as it was at a checkpoint. Throws a `RequestFailure`. */
export async function readConversation(api: ThreadApi, thread: string, checkpoint?: string): Promise<Conversation> {
  if (checkpoint !== undefined) return { turns: turnsAt(await api.state(thread, checkpoint)) };
  // The run is read first. The state is then complete for a run that has ended and is not followed.
  const run = await api.newestRun(thread);
  const isOpen = run?.status === "running" || run?.status === "pending";
  const fork = run && isOpen ? forkOf(run) : undefined;
  const state = await api.state(thread, fork);
  const isWaiting = !isOpen && interruptsOf(state.tasks).length > 0;
  const newest = run?.run_id;
  if (!run || run.status === "success" || isWaiting) return { turns: turnsAt(state), newest };
  const turns = turnsOf(messagesOf(state));
  return {
    turns: withQuestion(turns, run),
    newest,
    run: { id: run.run_id, isOpen, stopped: run.status === "interrupted" },
  };
}

function messagesOf({ values }: ThreadSnapshot): readonly JsonObject[] {
  return isObject(values) && Array.isArray(values.messages) ? values.messages.filter(isObject) : [];
}

/** Returns the turns of a state. The last one has the interrupts for which the state waits. */
function turnsAt(state: ThreadSnapshot): readonly Turn[] {
  const turns = turnsOf(messagesOf(state));
  const interrupts = interruptsOf(state.tasks);
  if (interrupts.length === 0) return turns;
  const last = turns.at(-1) ?? beginTurn(newId(), "", []);
  return [...turns.slice(0, -1), { ...last, interrupts }];
}

/** Adds the question of a run, which may not be in the state yet. A run without one continues the last turn. */
function withQuestion(turns: readonly Turn[], run: RunSummary): readonly Turn[] {
  const question = questionIn(run.kwargs);
  const last = turns.at(-1);
  const asked = readQuestion(question ?? {});
  const isSame = typeof question?.id === "string" ? last?.id === question.id : last?.question === asked.text;
  if (last && (!question || isSame)) return [...turns.slice(0, -1), beginRun(last)];
  const id = typeof question?.id === "string" ? question.id : newId();
  return [...turns, beginTurn(id, asked, turns)];
}

/** Returns the last message of a run's input. */
export function questionIn(kwargs: unknown): JsonObject | undefined {
  const input = isObject(kwargs) && isObject(kwargs.input) ? kwargs.input : {};
  return Array.isArray(input.messages) ? input.messages.findLast(isObject) : undefined;
}

/** Returns the checkpoint at which a run was started; undefined for the newest. */
export function forkOf({ kwargs }: RunSummary): string | undefined {
  const config = isObject(kwargs) && isObject(kwargs.config) ? kwargs.config : {};
  const id = isObject(config.configurable) ? config.configurable.checkpoint_id : undefined;
  return typeof id === "string" && id !== "" ? id : undefined;
}

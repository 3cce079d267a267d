import {
  isResting,
  isTerminal,
  type Message,
  type Part,
  type Task,
  type TaskState,
  type TaskStatus,
} from "../protocol/a2a.ts";
import { isObject, type JsonObject } from "../protocol/json.ts";
import { END, RunEnd, type RunError, type RunEvent } from "../protocol/stream.ts";
import type { StoredTask } from "../protocol/tasks.ts";
import { textOf } from "./transcript.ts";

/** A state the task was in, with what the agent said as it took it. */
interface Stage {
  readonly state: TaskState;
  readonly at: string;
  readonly says?: readonly Part[];
  /** Id of the graph's message that is told here. */
  readonly of?: string;
}

interface Interrupt {
  readonly id?: string;
  readonly value: unknown;
}

/** All that the events of a task's runs say about it, as far as they were heard. */
export interface Heard {
  /** Never empty, oldest first. */
  readonly stages: readonly [Stage, ...Stage[]];
  /** Id of the person's newest message: what a graph's state holds before it is no reply. */
  readonly asked?: string;
  /** The reply as it is being written, from tokens. */
  readonly writing?: { readonly id: string; readonly text: string; readonly lastPiece: number };
  /** Text of the newest message of the agent that a node put into the state. */
  readonly found?: string;
  /** What the graph put out. */
  readonly output?: JsonObject;
  /** Set when the run stopped to wait for a person; empty at a breakpoint. */
  readonly interrupts?: readonly Interrupt[];
  readonly error?: RunError;
}

export function beginTask(task: Pick<StoredTask, "created_at" | "history">): Heard {
  return { stages: [{ state: "submitted", at: task.created_at }], asked: task.history.at(-1)?.messageId };
}

export function stateOf(heard: Heard): TaskState {
  return latest(heard).state;
}

function latest({ stages }: Heard): Stage {
  return stages.at(-1) ?? stages[0];
}

/**
 * The next event of the task's newest run. `at` is the time it is taken to have happened. A task that has ended hears
 * nothing more; one that waits for a person goes on when another run begins.
 */
export function hear(heard: Heard, { event, data }: RunEvent, at: string): Heard {
  const state = stateOf(heard);
  if (isTerminal(state) || (isResting(state) && event !== "metadata")) return heard;
  switch (event) {
    case "metadata":
      if (state === "working") return heard;
      return become({ ...heard, interrupts: undefined, error: undefined }, { state: "working", at });
    case "messages":
      return withPiece(heard, parse(data));
    case "updates":
      return withUpdates(heard, parse(data), at);
    case "values":
      return withValues(heard, parse(data), at);
    case "error":
      return { ...heard, error: errorOf(parse(data)) };
    case END:
      return end(heard, parse(data), at);
    default:
      return heard;
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

function become(heard: Heard, stage: Stage): Heard {
  return { ...heard, stages: [...heard.stages, stage] };
}

/** A token, or a message that came whole: pieces of one id add up. */
function withPiece(heard: Heard, data: unknown): Heard {
  const message: unknown = Array.isArray(data) ? data[0] : undefined;
  if (!isObject(message) || !isAgents(message)) return heard;
  const piece = textOf(message.content);
  if (piece === "") return heard;
  const id = typeof message.id === "string" ? message.id : "";
  const before = heard.writing?.id === id ? heard.writing.text : "";
  return { ...heard, writing: { id, text: before + piece, lastPiece: piece.length } };
}

/** What nodes added, by the name of the node. */
function withUpdates(heard: Heard, data: unknown, at: string): Heard {
  if (!isObject(data)) return heard;
  const { __interrupt__, ...nodes } = data;
  const updates = Object.values(nodes).flat().filter(isObject);
  const messages = updates.flatMap((update) => [update.messages].flat().flatMap(coerced));
  const output = Object.fromEntries([heard.output ?? {}, ...updates].flatMap((update) => Object.entries(update)));
  const told = { ...withInterrupts(heard, __interrupt__), output };
  return messages.reduce<Heard>((next, message) => withMessage(next, message, at), told);
}

/** The whole state. Of its messages, those after the person's newest one are this task's. */
function withValues(heard: Heard, data: unknown, at: string): Heard {
  if (!isObject(data)) return heard;
  const { __interrupt__, ...values } = data;
  const next = withInterrupts(heard, __interrupt__);
  if (Object.keys(values).length === 0) return next;
  const messages = [values.messages].flat().flatMap(coerced);
  const asked = messages.findLastIndex((message) => message.id !== undefined && message.id === heard.asked);
  const newest = messages.slice(asked + 1).findLast((message) => isAgents(message) && textOf(message.content) !== "");
  const told = { ...next, output: values };
  return newest ? withMessage(told, newest, at) : told;
}

function withInterrupts(heard: Heard, told: unknown): Heard {
  if (!Array.isArray(told)) return heard;
  const fresh = told.filter(isObject).map(({ id, value }): Interrupt => ({
    ...(typeof id === "string" && { id }),
    value: value ?? null,
  }));
  // Asked for in several stream modes, one interrupt is told several times.
  const known = heard.interrupts ?? [];
  const news = fresh.filter(({ id }) => id === undefined || !known.some((one) => one.id === id));
  return { ...heard, interrupts: [...known, ...news] };
}

function withMessage(heard: Heard, message: JsonObject, at: string): Heard {
  const text = textOf(message.content);
  if (!isAgents(message) || text === "") return heard;
  const next = { ...heard, found: text };
  const calls = Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
  if (!calls) return next;
  // Said on the way to a tool: it is no reply, but worth hearing.
  const of = typeof message.id === "string" ? message.id : undefined;
  if (of !== undefined && heard.stages.some((stage) => stage.of === of)) return next;
  return become(next, { state: "working", at, says: [{ kind: "text", text }], of });
}

/** The forms in which a node may hand over a message: an object, or a pair of role and content. */
function coerced(message: unknown): JsonObject[] {
  if (Array.isArray(message) && typeof message[0] === "string") return [{ role: message[0], content: message[1] }];
  return isObject(message) ? [message] : [];
}

const AGENT = new Set<unknown>(["ai", "AIMessage", "AIMessageChunk", "assistant"]);

function isAgents(message: JsonObject): boolean {
  return AGENT.has(message.type ?? message.role);
}

function errorOf(data: unknown): RunError {
  const { error, message } = isObject(data) ? data : {};
  return {
    error: typeof error === "string" ? error : "Error",
    message: typeof message === "string" ? message : "the run failed",
  };
}

function end(heard: Heard, data: unknown, at: string): Heard {
  const read = RunEnd.safeParse(data);
  const status = read.success ? read.data.status : "error";
  switch (status) {
    case "success":
      if (!heard.interrupts) return become(heard, { state: "completed", at });
      return become(heard, { state: "input-required", at, says: questionOf(heard.interrupts) });
    case "interrupted":
      return become(heard, { state: "canceled", at });
    case "timeout":
      return become(heard, { state: "failed", at, says: [{ kind: "text", text: "The run took too long" }] });
    case "error":
      return become(heard, { state: "failed", at, says: [{ kind: "text", text: reasonOf(heard.error) }] });
  }
}

function questionOf(interrupts: readonly Interrupt[]): Part[] {
  const questions = interrupts.map(({ value }) => (typeof value === "string" ? value : JSON.stringify(value)));
  const text = questions.length > 0 ? questions.join("\n") : "The run has stopped at a breakpoint";
  return [
    { kind: "text", text },
    { kind: "data", data: { interrupts } },
  ];
}

const REASON_LIMIT = 500;

/** First line only: what follows may be a stack. */
function reasonOf({ error, message }: RunError = { error: "Error", message: "the run failed" }): string {
  return `${error}: ${message.split("\n", 1)[0]}`.slice(0, REASON_LIMIT);
}

/**
 * The reply as far as there is one. A task that is complete has one always, and it is what the state holds: tokens
 * alone may come from a model that a node asked for other reasons.
 */
export function replyOf(heard: Heard): readonly Part[] | undefined {
  const state = stateOf(heard);
  const { found, output = {} } = heard;
  if (state === "completed")
    return [found === undefined ? { kind: "data", data: output } : { kind: "text", text: found }];
  const written = heard.writing?.text;
  const text = isResting(state) ? (found ?? written) : (written ?? found);
  return text === undefined ? undefined : [{ kind: "text", text }];
}

/** Status of one stage; the agent's messages are numbered within the task, so that they keep their ids. */
export function statusOf(task: Pick<StoredTask, "task_id" | "context_id">, heard: Heard, stage: number): TaskStatus {
  const { state, at, says } = heard.stages[stage] ?? latest(heard);
  return { state, timestamp: at, ...(says && { message: saidBy(task, stage, says) }) };
}

function saidBy(task: Pick<StoredTask, "task_id" | "context_id">, stage: number, parts: readonly Part[]): Message {
  const messageId = `${task.task_id}.${stage}`;
  return { messageId, role: "agent", parts, contextId: task.context_id, taskId: task.task_id };
}

/** The task as it stands, with at most the newest `historyLength` messages. */
export function taskOf(task: StoredTask, heard: Heard, historyLength?: number): Task {
  const reply = replyOf(heard);
  return {
    id: task.task_id,
    contextId: task.context_id,
    status: statusOf(task, heard, heard.stages.length - 1),
    ...(reply && { artifacts: [{ artifactId: task.artifact_id, name: "reply", parts: reply }] }),
    ...(historyLength !== 0 && { history: historyOf(task, heard).slice(-(historyLength ?? Infinity)) }),
  };
}

/** What people sent, and what the agent said before the present status. */
function historyOf(task: StoredTask, { stages }: Heard): Message[] {
  const asked = task.history.map((message) => ({ ...message, contextId: task.context_id, taskId: task.task_id }));
  const said = stages.slice(0, -1).flatMap(({ says }, stage) => (says ? [saidBy(task, stage, says)] : []));
  return [...asked, ...said];
}

import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { RunError } from "../../protocol/stream.ts";
import { type Attachment, type Question, readQuestion } from "./attachments.ts";
import { otherBlocks, textOf } from "./content.ts";

/** An event of a run with its data parsed. `at` is the time of its arrival in ms, for durations. */
export interface ParsedEvent {
  readonly id: number;
  readonly event: string;
  readonly data: unknown;
  readonly at?: number;
  /** The length of the data's text, in UTF-16 units. */
  readonly size?: number;
}

export interface TurnToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, cut off while it streams. */
  readonly args: string;
}

/** A message that an agent or a tool wrote. */
export interface TurnMessage {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  /** Content blocks that are neither text nor calls, of a message that is in the state. */
  readonly blocks?: readonly unknown[];
  readonly calls: readonly TurnToolCall[];
  /** The call that the message of a tool answers. */
  readonly callId?: string;
  readonly name?: string;
  readonly failed: boolean;
  /** The message in the graph's state; absent while only its chunks have come. */
  readonly state?: JsonObject;
  readonly firstAt?: number;
  readonly lastAt?: number;
}

export interface TurnInterrupt {
  readonly id: string;
  readonly value: unknown;
}

/** One question and the results of the run that it started. It is plain JSON, so that it can be stored and sent. */
export interface Turn {
  /** The id of the person's message. */
  readonly id: string;
  readonly question: string;
  /** The files of the question; absent if it has none. */
  readonly attachments?: readonly Attachment[];
  /** The ids of the messages before this turn, which the state repeats. */
  readonly known: readonly string[];
  /** The id of the newest event that was folded in; -1 before the first. */
  readonly seen: number;
  readonly run?: string;
  readonly messages: readonly TurnMessage[];
  /** The newest state without its messages. */
  readonly values?: JsonObject;
  readonly interrupts: readonly TurnInterrupt[];
  readonly error?: RunError;
}

export function beginTurn(id: string, asked: string | Question, before: readonly Turn[]): Turn {
  const known = before.flatMap((turn) => [turn.id, ...turn.messages.map((message) => message.id)]);
  const { text: question, attachments } = typeof asked === "string" ? { text: asked, attachments: [] } : asked;
  const files = attachments.length > 0 ? { attachments } : {};
  return { id, question, ...files, known, seen: -1, messages: [], interrupts: [] };
}

/** Returns the question of a turn, for a message that asks it again. */
export function questionOf({ question, attachments = [] }: Turn): Question {
  return { text: question, attachments };
}

/** Continues a turn with another run: event ids start again, and the interrupts have been answered. */
export function beginRun(turn: Turn): Turn {
  const { run: _run, error: _error, ...rest } = turn;
  return { ...rest, seen: -1, interrupts: [] };
}

/** Returns the turns in the messages of a thread's state. Every message of a person begins a turn. */
export function turnsOf(messages: unknown): Turn[] {
  const turns: Turn[] = [];
  for (const [index, state] of (Array.isArray(messages) ? messages.filter(isObject) : []).entries()) {
    const message = readState(state, text(state.id) || `message.${index}`);
    const last = turns.at(-1);
    if (message.type === "human") turns.push(beginTurn(message.id, readQuestion(state), turns));
    // Messages of an agent before the first question form a turn of their own.
    else if (!last) turns.push({ ...beginTurn(`before ${message.id}`, "", turns), messages: [message] });
    else turns[turns.length - 1] = { ...last, messages: [...last.messages, message] };
  }
  return turns;
}

/** Returns the interrupts for which the tasks of a thread's state wait. */
export function interruptsOf(tasks: unknown): TurnInterrupt[] {
  const all = (Array.isArray(tasks) ? tasks.filter(isObject) : []).flatMap((task) =>
    Array.isArray(task.interrupts) ? task.interrupts.filter(isObject) : [],
  );
  return all.map(({ id, value }, index) => ({ id: text(id) || `interrupt.${index}`, value }));
}

export function foldEvents(turn: Turn, events: readonly ParsedEvent[]): Turn {
  return events.reduce(foldEvent, turn);
}

/** Adds an event to a turn. An event that is not newer than those before is skipped, so replays are harmless. */
export function foldEvent(turn: Turn, event: ParsedEvent): Turn {
  if (event.id <= turn.seen) return turn;
  const next = { ...turn, seen: event.id };
  const { data } = event;
  switch (event.event) {
    case "metadata":
      return isObject(data) ? withAttempt(next, data) : next;
    case "messages":
      return isTuple(data) ? { ...next, messages: withChunk(next, data[0], event.at) } : next;
    case "values":
      return isObject(data) ? withValues(next, data, event.at) : next;
    case "updates":
      return isObject(data) ? { ...next, interrupts: withInterrupts(next, data) } : next;
    case "error":
      return { ...next, error: errorOf(data) };
    default:
      return next;
  }
}

/** Begins an attempt. A retry continues from the state: chunks that came after it come again under other ids. */
function withAttempt(turn: Turn, { run_id, attempt }: JsonObject): Turn {
  const isAgain = typeof attempt === "number" && attempt > 1;
  const messages = isAgain ? turn.messages.filter((message) => message.state) : turn.messages;
  return typeof run_id === "string" ? { ...turn, messages, run: run_id } : { ...turn, messages };
}

function isTuple(data: unknown): data is [JsonObject, ...unknown[]] {
  return Array.isArray(data) && isObject(data[0]);
}

/** Adds a chunk to the message with its id. A message in the state is complete, so later chunks of it are skipped. */
function withChunk(turn: Turn, chunk: JsonObject, at: number | undefined): readonly TurnMessage[] {
  const id = chunk.id;
  if (typeof id !== "string" || id === "" || id === turn.id || turn.known.includes(id)) return turn.messages;
  const index = turn.messages.findLastIndex((message) => message.id === id);
  const before = turn.messages[index];
  if (!before) return [...turn.messages, { ...readMessage(chunk, id), firstAt: at, lastAt: at }];
  return before.state ? turn.messages : turn.messages.with(index, appendPiece(before, readMessage(chunk, id), at));
}

/** Appends a piece of a message that is being written. */
export function appendPiece(before: TurnMessage, chunk: TurnMessage, at: number | undefined): TurnMessage {
  return {
    ...before,
    text: before.text + chunk.text,
    calls: chunk.calls.reduce(withCall, before.calls),
    lastAt: at ?? before.lastAt,
  };
}

/** Adds a piece of a tool call. A piece without an id belongs to the newest call, others to the call with their id. */
function withCall(calls: readonly TurnToolCall[], piece: TurnToolCall): readonly TurnToolCall[] {
  const index = piece.id === "" ? calls.length - 1 : calls.findIndex((call) => call.id === piece.id);
  const before = calls[index];
  if (!before) return [...calls, piece];
  return calls.with(index, { ...before, name: before.name || piece.name, args: before.args + piece.args });
}

/** Applies the state, which is authoritative: its messages of this turn replace those built from chunks. */
function withValues(turn: Turn, data: JsonObject, at: number | undefined): Turn {
  const { messages, __interrupt__, ...values } = data;
  const interrupts = withInterrupts(turn, data);
  if (!Array.isArray(messages))
    return Object.keys(values).length > 0 ? { ...turn, interrupts, values } : { ...turn, interrupts };
  const before = new Map(turn.messages.map((message) => [message.id, message]));
  const news = newsOf(turn, messages.filter(isObject)).map((state, index) => {
    const id = typeof state.id === "string" && state.id !== "" ? state.id : `${turn.id}.${index}`;
    const known = before.get(id);
    return { ...readState(state, id), firstAt: known?.firstAt ?? at, lastAt: known?.lastAt ?? at };
  });
  return { ...turn, interrupts, values, messages: news };
}

function newsOf(turn: Turn, messages: readonly JsonObject[]): readonly JsonObject[] {
  const known = new Set<unknown>([...turn.known, turn.id]);
  const question = messages.findLastIndex((message) => message.id === turn.id);
  return messages.slice(question + 1).filter((message) => !known.has(message.id));
}

function withInterrupts(turn: Turn, data: JsonObject): readonly TurnInterrupt[] {
  const raised = Array.isArray(data.__interrupt__) ? data.__interrupt__.filter(isObject) : [];
  const all = new Map(turn.interrupts.map((one) => [one.id, one]));
  for (const [index, { id, value }] of raised.entries()) {
    const key = typeof id === "string" ? id : `${turn.id}.${index}`;
    if (!all.has(key)) all.set(key, { id: key, value });
  }
  return [...all.values()];
}

function errorOf(data: unknown): RunError {
  if (!isObject(data)) return { error: "Error", message: typeof data === "string" ? data : "The run failed." };
  return { error: text(data.error) || "Error", message: text(data.message) || "The run failed." };
}

/** Converts a message from its wire form. `AIMessageChunk` and `ai` are one type. */
export function readMessage(wire: JsonObject, id: string): TurnMessage {
  const type = text(wire.type)
    .replace(/MessageChunk$/, "")
    .toLowerCase();
  return {
    id,
    type,
    text: textOf(wire.content),
    calls: type === "ai" ? callsOf(wire) : [],
    failed: wire.status === "error",
    ...(type === "tool" && typeof wire.tool_call_id === "string" ? { callId: wire.tool_call_id } : {}),
    ...(typeof wire.name === "string" ? { name: wire.name } : {}),
  };
}

/** Converts a message of the state. Chunks may end within a block, so only messages of the state have blocks. */
function readState(state: JsonObject, id: string): TurnMessage {
  const blocks = otherBlocks(state.content);
  return { ...readMessage(state, id), state, ...(blocks.length > 0 && { blocks }) };
}

function callsOf(wire: JsonObject): readonly TurnToolCall[] {
  const chunks = Array.isArray(wire.tool_call_chunks) ? wire.tool_call_chunks.filter(isObject) : [];
  if (chunks.length > 0) {
    return chunks.map((chunk) => ({ id: text(chunk.id), name: text(chunk.name), args: text(chunk.args) }));
  }
  const calls = Array.isArray(wire.tool_calls) ? wire.tool_calls.filter(isObject) : [];
  return calls.map((call) => ({ id: text(call.id), name: text(call.name), args: JSON.stringify(call.args ?? {}) }));
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A part of a turn as it is shown. */
export type TurnPart =
  | { readonly kind: "text"; readonly id: string; readonly text: string }
  | { readonly kind: "block"; readonly id: string; readonly block: unknown }
  | {
      readonly kind: "tool";
      readonly id: string;
      readonly name: string;
      readonly args: string;
      readonly result?: string;
      /** Content blocks of the result that are not text. */
      readonly blocks?: readonly unknown[];
      /** `stopped`: the run ended before the tool answered. */
      readonly state: "running" | "ok" | "failed" | "stopped";
      readonly ms?: number;
    };

/** Returns the parts of a turn in order. While the run is `live`, a call without an answer is shown as running. */
export function partsOf(turn: Turn, live: boolean): TurnPart[] {
  return turn.messages.flatMap((message, index): TurnPart[] => {
    if (message.type !== "ai") return [];
    const said: TurnPart[] = message.text === "" ? [] : [{ kind: "text", id: message.id, text: message.text }];
    const blocks = (message.blocks ?? []).map((block, place): TurnPart => {
      return { kind: "block", id: `${message.id} block ${place}`, block };
    });
    const calls = message.calls.map((call): TurnPart => {
      const { name, args } = call;
      // Some models reuse the ids of calls in every message, so only later messages are searched.
      const answer = turn.messages.slice(index + 1).find((one) => one.callId === call.id);
      const id = `${message.id} ${call.id}`;
      if (!answer) return { kind: "tool", id, name, args, state: live ? "running" : "stopped" };
      const ms = elapsed(message.lastAt, answer.firstAt);
      const state = answer.failed ? "failed" : "ok";
      return { kind: "tool", id, name, args, result: answer.text, blocks: answer.blocks, state, ms };
    });
    return [...said, ...blocks, ...calls];
  });
}

function elapsed(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : Math.max(0, to - from);
}

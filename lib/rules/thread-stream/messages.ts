/** Converts message chunks to framed content blocks (docs/api/thread-streams.md#messages). */
import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts";
import { blocksOf, isChunk, piecesOf, type GrowingPiece, type MessagePiece } from "./pieces.ts";
import type { UnnumberedEvent } from "./unnumbered-event.ts";
import { addUsage } from "./usage.ts";

export interface MessageFrames {
  /** Takes a pair of message and metadata, as the event `messages` carries it. */
  take(data: string, namespace: readonly string[], event: string): UnnumberedEvent[];
  /** Finishes the open messages of the namespaces for which `isDone` is true. */
  finish(isDone: (namespace: readonly string[]) => boolean): UnnumberedEvent[];
  /** Ends all open messages with an error. */
  fail(message: string): UnnumberedEvent[];
}

interface OpenBlock {
  readonly index: number;
  readonly piece: GrowingPiece;
  id: string | null;
  name: string | null;
  text: string;
  /** The length of the text that was sent: a delta of a tool call repeats all of it. */
  sent: number;
}

/** A message that is being written. */
interface OpenMessage {
  readonly id: string;
  readonly namespace: readonly string[];
  readonly node?: string;
  /** The model call, which separates messages that models of one node write at the same time. */
  readonly call: string;
  blocks: number;
  open?: OpenBlock;
  usage?: JsonObject;
  response: JsonObject;
  /** The characters that the fold keeps of this message. */
  size: number;
}

/** The most characters of all open messages together. Beyond that the oldest are reported as finished. */
const MOST_OPEN = 16 * 1024 * 1024;
/** The characters that a message counts for in addition to its text, since every state visits all open messages. */
const MESSAGE = 4 * 1024;

export function messageFrames(): MessageFrames {
  /** The open messages, keyed by event and id, in the order in which they began. */
  const open = new Map<string, OpenMessage>();
  let kept = 0;
  const read = pairReader();
  const close = (ending: (message: OpenMessage) => UnnumberedEvent[], isDone: (message: OpenMessage) => boolean) => {
    const events: UnnumberedEvent[] = [];
    for (const [key, message] of open) {
      if (!isDone(message)) continue;
      open.delete(key);
      kept -= message.size;
      events.push(...ending(message));
    }
    return events;
  };
  return {
    take(data, namespace, event) {
      const pair = read(data, event);
      if (!pair) return [];
      const { message, metadata } = pair;
      const { id, type } = message;
      if (typeof id !== "string" || id === "" || type === "remove") return [];
      const key = `${event} ${id}`;
      const before = open.get(key);
      // A message that was streamed in chunks is not repeated when it comes as a whole.
      if (!isChunk(message)) return before ? [] : wholeMessage(begin(message, id, metadata, namespace), message);
      const begun = before ? undefined : begin(message, id, metadata, namespace);
      const current = before ?? begun?.message;
      if (!current) return [];
      const pieces = piecesOf(message);
      const more = sizeOf(message, pieces) + (before ? 0 : MESSAGE + key.length);
      const isFull = (): boolean => kept + more > MOST_OPEN;
      const closed = isFull() ? close(finishMessage, (other) => other !== current && isFull()) : [];
      if (isFull()) return closed;
      kept += more;
      current.size += more;
      open.set(key, current);
      note(current, message);
      return [...closed, ...(begun ? [begun.start] : []), ...pieces.flatMap((piece) => addPiece(current, piece))];
    },
    finish: (isDone) => close(finishMessage, ({ namespace }) => isDone(namespace)),
    fail: (reason) =>
      close(
        (message) => [frame(message, { event: "error", message: reason })],
        () => true,
      ),
  };
}

interface Pair {
  message: JsonObject;
  metadata: JsonObject;
}

/**
 * Parses pairs of message and metadata. All chunks of one model call have the same metadata, which is longer than the
 * message, so it is parsed once.
 */
function pairReader(): (data: string, event: string) => Pair | undefined {
  let known: { event: string; tail: string; metadata: JsonObject } | undefined;
  return (data, event) => {
    if (known?.event === event && data.endsWith(known.tail)) {
      const message = parseJson(data.slice(1, -known.tail.length));
      if (isObject(message)) return { message, metadata: known.metadata };
    }
    const pair = parseJson(data);
    if (!Array.isArray(pair)) return undefined;
    const message: unknown = pair[0];
    const metadata: unknown = pair[1];
    if (!isObject(message)) return undefined;
    const tail = `,${JSON.stringify(metadata)}]`;
    const about = isObject(metadata) ? metadata : {};
    known = data.endsWith(tail) ? { event, tail, metadata: about } : undefined;
    return { message, metadata: about };
  };
}

function begin(message: JsonObject, id: string, metadata: JsonObject, namespace: readonly string[]) {
  const { langgraph_node, ls_provider, ls_model_name, ls_model_type } = metadata;
  const of: OpenMessage = {
    id,
    namespace,
    ...(typeof langgraph_node === "string" && { node: langgraph_node }),
    call: id.startsWith("run-") ? id.slice("run-".length) : id,
    blocks: 0,
    response: {},
    size: 0,
  };
  const about = Object.entries({ provider: ls_provider, model: ls_model_name, model_type: ls_model_type });
  const known = Object.fromEntries(about.filter(([, value]) => typeof value === "string"));
  const start = frame(of, {
    event: "message-start",
    id,
    role: roleOf(message.type),
    ...(Object.keys(known).length > 0 && { metadata: known }),
    ...(typeof message.tool_call_id === "string" && { tool_call_id: message.tool_call_id }),
    ...(typeof message.name === "string" && { name: message.name }),
  });
  return { message: of, start };
}

function roleOf(type: unknown): string {
  const name = typeof type === "string" ? type.replace(/Message(Chunk)?$/, "").toLowerCase() : "";
  return name === "" ? "ai" : name;
}

function frame({ id, namespace, node, call }: OpenMessage, data: JsonObject): UnnumberedEvent {
  return { method: "messages", namespace, node, message_id: id, data: JSON.stringify({ ...data, run_id: call }) };
}

function wholeMessage({ message, start }: ReturnType<typeof begin>, wire: JsonObject): UnnumberedEvent[] {
  const events = [start, ...blocksOf(wire).flatMap((piece) => addPiece(message, piece))];
  note(message, wire);
  return [...events, ...finishMessage(message)];
}

/** Returns an upper bound of the characters that are kept of a chunk. */
function sizeOf({ usage_metadata, response_metadata }: JsonObject, pieces: readonly MessagePiece[]): number {
  const texts = pieces.map((piece) => (piece.kind === "block" ? 0 : piece.text.length));
  const notes = [usage_metadata, response_metadata].map((one) => (isObject(one) ? JSON.stringify(one).length : 0));
  return [...texts, ...notes].reduce((sum, length) => sum + length, 0);
}

function note(message: OpenMessage, { usage_metadata, response_metadata }: JsonObject): void {
  if (isObject(usage_metadata)) message.usage = addUsage(message.usage, usage_metadata);
  if (isObject(response_metadata)) message.response = { ...message.response, ...response_metadata };
}

/** Adds a piece. Blocks of one message do not interleave: each begins after the one before it has ended. */
function addPiece(message: OpenMessage, piece: MessagePiece): UnnumberedEvent[] {
  const goesOn = message.open?.piece.key === piece.key;
  const events = goesOn ? [] : finishBlock(message);
  if (piece.kind === "block") {
    const index = message.blocks++;
    return [
      ...events,
      frame(message, { event: "content-block-start", index, content: piece.block }),
      frame(message, { event: "content-block-finish", index, content: piece.block }),
    ];
  }
  if (!goesOn || !message.open) {
    message.open = { index: message.blocks++, piece, id: null, name: null, text: "", sent: 0 };
    events.push(frame(message, { event: "content-block-start", index: message.open.index, content: emptyOf(piece) }));
  }
  const delta = grow(message.open, piece);
  if (delta) events.push(frame(message, { event: "content-block-delta", index: message.open.index, delta }));
  return events;
}

function emptyOf(piece: GrowingPiece): JsonObject {
  if (piece.kind !== "call")
    return piece.kind === "text" ? { type: "text", text: "" } : { type: "reasoning", reasoning: "" };
  const { id, name, index } = piece;
  return { type: "tool_call_chunk", id, name, args: "", ...(index !== undefined && { index }) };
}

/**
 * Returns the delta for a piece, if one is due. The delta of a tool call repeats all arguments so far, so it is sent
 * when they have grown by an eighth. Otherwise long arguments would cost the square of their length.
 */
function grow(block: OpenBlock, piece: GrowingPiece): JsonObject | undefined {
  block.text += piece.text;
  if (piece.kind !== "call") {
    return piece.kind === "text"
      ? { type: "text-delta", text: piece.text }
      : { type: "reasoning-delta", reasoning: piece.text };
  }
  block.id ??= piece.id;
  block.name ??= piece.name;
  if (block.text.length - block.sent < Math.max(1, block.sent / 8)) return undefined;
  block.sent = block.text.length;
  return {
    type: "block-delta",
    fields: { type: "tool_call_chunk", id: block.id, name: block.name, args: block.text },
  };
}

function finishBlock(message: OpenMessage): UnnumberedEvent[] {
  const { open } = message;
  if (!open) return [];
  message.open = undefined;
  return [frame(message, { event: "content-block-finish", index: open.index, content: wholeOf(open) })];
}

function wholeOf({ piece, id, name, text }: OpenBlock): JsonObject {
  if (piece.kind === "text") return { type: "text", text };
  if (piece.kind === "reasoning") return { type: "reasoning", reasoning: text };
  const args = text === "" ? {} : parseJson(text);
  if (isObject(args) && name !== null) return { type: "tool_call", id, name, args };
  return { type: "invalid_tool_call", id, name, args: text, error: "The arguments are no JSON object" };
}

function finishMessage(message: OpenMessage): UnnumberedEvent[] {
  const { usage, response } = message;
  const reason = response.finish_reason ?? response.stop_reason;
  return [
    ...finishBlock(message),
    frame(message, {
      event: "message-finish",
      ...(typeof reason === "string" && { reason }),
      ...(usage && { usage }),
      ...(Object.keys(response).length > 0 && { metadata: response }),
    }),
  ];
}

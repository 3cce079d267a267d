/** Events of tokens and messages: `messages` for the mode `messages-tuple`, `messages/*` for the mode `messages`. */
import { isObject } from "../../protocol/json.ts";
import type { StreamMode } from "../../protocol/stream.ts";
import type { MergingSink } from "./merging-sink.ts";
import { messageSeries } from "./message-series.ts";
import { isList, isMessage, isMessageChunk, type LangChainMessage, type MessageChunk } from "../message.ts";
import { jsonOf } from "../plain.ts";

export interface MessageEvents {
  /** Takes a pair of message and metadata. */
  take(payload: unknown, namespace: readonly string[]): void;
  /** Sends those messages of a state that were not complete before. */
  complete(state: unknown): void;
}

export function messageEvents(requested: ReadonlySet<StreamMode>, sink: MergingSink): MessageEvents {
  const tuples = requested.has("messages-tuple");
  const growing = requested.has("messages") ? growingMessages(sink) : undefined;
  const metadataJson = jsonOncePerObject();
  const pairJson = (message: LangChainMessage, metadata: unknown) => `[${jsonOf(message)},${metadataJson(metadata)}]`;
  const pieces = joinedPieces(sink, pairJson);
  const seriesOf = messageSeries(pairJson);
  const sendPiece = (name: string, piece: MessageChunk, metadata: unknown): void => {
    const series = seriesOf(name, piece, metadata);
    if (series) sink.sendPiece(series.template, series.text);
    else sink.send(name, pairJson(piece, metadata));
  };
  return {
    take(payload, namespace) {
      if (!isList(payload)) return;
      const [message, metadata] = payload;
      if (!isMessage(message) || isHidden(metadata)) return;
      if (tuples) {
        const name = namespace.length === 0 ? "messages" : `messages|${namespace.join("|")}`;
        if (!isMessageChunk(message)) sink.send(name, pairJson(message, metadata));
        else if (pieces.mustWait()) pieces.wait(name, message, metadata);
        else sendPiece(name, message, metadata);
      }
      if (growing && isMessageChunk(message)) growing.take(message, metadata);
    },
    complete: (state) => growing?.complete(state),
  };
}

/** Returns whether a model is hidden by its tag. LangGraph itself skips models tagged `nostream`. */
function isHidden(metadata: unknown): boolean {
  return isObject(metadata) && isList(metadata.tags) && metadata.tags.includes("langsmith:hidden");
}

/** Joins pieces of one message that cannot leave yet. Clients append pieces, so they see no difference. */
function joinedPieces(sink: MergingSink, pairJson: (message: LangChainMessage, metadata: unknown) => string) {
  const waiting = new Map<string, MessageChunk>();
  return {
    mustWait: () => sink.full || waiting.size > 0,
    wait(name: string, piece: MessageChunk, metadata: unknown): void {
      const key = `${name} ${piece.id}`;
      const whole = waiting.get(key)?.concat(piece) ?? piece;
      waiting.set(key, whole);
      sink.replace(key, name, () => {
        waiting.delete(key);
        return pairJson(whole, metadata);
      });
    },
  };
}

/** Serialises each object once. All tokens of a model call share their metadata, whose JSON is half of the work. */
function jsonOncePerObject(): (value: unknown) => string {
  const known = new WeakMap<object, string>();
  return (value) => {
    if (typeof value !== "object" || value === null) return jsonOf(value);
    const json = known.get(value) ?? jsonOf(value);
    known.set(value, json);
    return json;
  };
}

/** Sends the text so far instead of pieces, and each message once more when it is in the state. */
function growingMessages(sink: MergingSink) {
  const grown = new Map<string, MessageChunk>();
  const completed = new Set<string>();
  return {
    take(piece: MessageChunk, metadata: unknown): void {
      const { id } = piece;
      if (id === undefined || completed.has(id)) return;
      const before = grown.get(id);
      if (!before) sink.send("messages/metadata", jsonOf({ [id]: { metadata } }));
      const whole = before ? before.concat(piece) : piece;
      grown.set(id, whole);
      sink.replace(id, "messages/partial", () => jsonOf([whole]));
    },
    complete(state: unknown): void {
      if (!isObject(state)) return;
      const messages: unknown[] = [state.messages ?? []].flat();
      const fresh = messages.filter((message) => {
        if (!isObject(message) || typeof message.id !== "string" || completed.has(message.id)) return false;
        completed.add(message.id);
        grown.delete(message.id);
        return true;
      });
      if (fresh.length > 0) sink.send("messages/complete", jsonOf(fresh));
    },
  };
}

/** LangChain's own objects, recognised by shape: which copy of the package made them does not matter. */
import type { JsonObject } from "../protocol/json.ts";

/** Objects that LangChain would write as `{"lc":1,"type":"constructor",...}`, a form that never leaves the server. */
export interface Serializable {
  readonly lc_serializable: boolean;
  readonly lc_kwargs: JsonObject;
  toJSON(): { type?: string; id?: string[]; kwargs?: JsonObject };
}

export interface Message extends Serializable {
  readonly id?: string;
  readonly content: unknown;
  getType(): string;
}

/** A piece of a message: `concat` gives the longer piece. */
export interface MessageChunk extends Message {
  concat(next: Message): MessageChunk;
}

const MESSAGE = Symbol.for("langchain.message");

export function isSerializable(value: object): value is Serializable {
  return "lc_kwargs" in value && "lc_serializable" in value && "toJSON" in value && typeof value.toJSON === "function";
}

export function isMessage(value: unknown): value is Message {
  if (typeof value !== "object" || value === null || !("lc_kwargs" in value)) return false;
  return MESSAGE in value || ("_getType" in value && typeof value._getType === "function");
}

export function isMessageChunk(value: Message): value is MessageChunk {
  return "concat" in value && typeof value.concat === "function";
}

/** Fields that may be set after construction, so that the constructor's arguments do not name them. */
const LATE_FIELDS = ["id", "name", "tool_calls", "usage_metadata"] as const;

/** `Array.isArray`, without the `any` it narrows to. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Any property of an object may be read; what comes back is unknown. */
export function fieldsOf(value: object): JsonObject {
  return value as JsonObject;
}

/** Flat form of a message: what it was made with, as it is now, and its type. Members are not made plain yet. */
export function flatMessage(message: Message): JsonObject {
  const now = fieldsOf(message);
  const flat: JsonObject = {};
  for (const key of Object.keys(message.lc_kwargs)) {
    // Derived from the content, which is there already.
    if (key !== "contentBlocks") flat[key] = key in message ? now[key] : message.lc_kwargs[key];
  }
  for (const key of LATE_FIELDS) {
    if (!(key in flat) && now[key] !== undefined) flat[key] = now[key];
  }
  flat.type = message.getType();
  return flat;
}

/** LangChain's own objects, recognised by their shape because any copy of the package may have made them. */
import type { JsonObject } from "../protocol/json.ts";

/** An object that LangChain would write as `{"lc":1,"type":"constructor",...}`, a form that never leaves the server. */
export interface Serializable {
  readonly lc_serializable: boolean;
  readonly lc_kwargs: JsonObject;
  toJSON(): { type?: string; id?: string[]; kwargs?: JsonObject };
}

export interface LangChainMessage extends Serializable {
  readonly id?: string;
  readonly content: unknown;
  getType(): string;
}

/** A piece of a message; `concat` returns the longer piece. */
export interface MessageChunk extends LangChainMessage {
  concat(next: LangChainMessage): MessageChunk;
}

const MESSAGE = Symbol.for("langchain.message");

export function isSerializable(value: object): value is Serializable {
  return "lc_kwargs" in value && "lc_serializable" in value && "toJSON" in value && typeof value.toJSON === "function";
}

export function isMessage(value: unknown): value is LangChainMessage {
  if (typeof value !== "object" || value === null || !("lc_kwargs" in value)) return false;
  return MESSAGE in value || ("_getType" in value && typeof value._getType === "function");
}

export function isMessageChunk(value: LangChainMessage): value is MessageChunk {
  return "concat" in value && typeof value.concat === "function";
}

/** Fields that may be set after construction, and are then missing from the constructor's arguments. */
const LATE_FIELDS = ["id", "name", "tool_calls", "usage_metadata"] as const;

/** `Array.isArray` without the `any` to which it narrows. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns the object as a record: any property may be read, and its value is unknown. */
export function fieldsOf(value: object): JsonObject {
  return value as JsonObject;
}

/**
 * Calls back with each of a message's current fields and last its type, until `take` returns false. Returns whether it never did.
 * The fields are not made plain yet.
 */
export function everyField(message: LangChainMessage, take: (name: string, value: unknown) => boolean): boolean {
  const now = fieldsOf(message);
  const given = message.lc_kwargs;
  for (const key of Object.keys(given)) {
    // The blocks are derived from the content, which is there already.
    if (key === "contentBlocks" || key === "type") continue;
    if (!take(key, key in message ? now[key] : given[key])) return false;
  }
  for (const key of LATE_FIELDS) {
    if (now[key] !== undefined && !Object.hasOwn(given, key) && !take(key, now[key])) return false;
  }
  return take("type", message.getType());
}

/** Returns a message as a flat record of its current fields and its type. */
export function flatMessage(message: LangChainMessage): JsonObject {
  const flat: JsonObject = {};
  everyField(message, (name, value) => {
    flat[name] = value;
    return true;
  });
  return flat;
}

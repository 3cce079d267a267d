/**
 * Writes the JSON of a state's values. A thread's messages are the same objects from turn to turn, so each is
 * serialised once and not once a turn: otherwise the end of turn 500 would cost several times that of turn 5.
 */
import { isObject } from "../../protocol/json.ts";
import { fieldsOf, isList, isMessage, type LangChainMessage } from "../message.ts";
import { jsonOf } from "../plain.ts";

/** The fields that a node may change. As long as they are the same, a message has the same JSON. */
const FIELDS = [
  "content",
  "id",
  "name",
  "tool_calls",
  "usage_metadata",
  "additional_kwargs",
  "response_metadata",
] as const;

interface Written {
  fields: readonly unknown[];
  json: string;
}

const written = new WeakMap<LangChainMessage, Written>();

export function valuesJson(values: unknown): string {
  if (!isObject(values) || Object.getPrototypeOf(values) !== Object.prototype) return jsonOf(values);
  const members = Object.entries(values)
    .filter(([, value]) => value !== undefined && typeof value !== "function")
    .map(([key, value]) => `${JSON.stringify(key)}:${isList(value) ? listJson(value) : jsonOf(value)}`);
  return `{${members.join(",")}}`;
}

function listJson(items: readonly unknown[]): string {
  return `[${items.map((item) => (isMessage(item) ? messageJson(item) : jsonOf(item))).join(",")}]`;
}

function messageJson(message: LangChainMessage): string {
  const now = fieldsOf(message);
  const fields = FIELDS.map((field) => now[field]);
  const known = written.get(message);
  if (known?.fields.every((field, index) => field === fields[index])) return known.json;
  const json = jsonOf(message);
  written.set(message, { fields, json });
  return json;
}

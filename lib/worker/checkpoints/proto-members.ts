/**
 * LangGraph's serializer builds an object by assigning its members. A member called `__proto__` then becomes the
 * object's prototype: it is lost, and its content seems to be in the object. Under another name it passes.
 */
import { randomUUID } from "node:crypto";
import { isObject } from "../../protocol/json.ts";

const PROTO = "__proto__";
/** The quoted name, which is in the text of every JSON with such a member: `JSON.stringify` does not escape it. */
const QUOTED = `"${PROTO}"`;

/** Reads a text with `read`, and restores the members called `__proto__` that `read` loses. */
export async function readWithProto(text: string, read: (text: string) => Promise<unknown>): Promise<unknown> {
  if (!text.includes(QUOTED)) return await read(text);
  const name = `member ${randomUUID()}`;
  const renamed = JSON.stringify(renameKey(JSON.parse(text) as unknown, PROTO, name));
  return renameKey(await read(renamed), name, PROTO);
}

/** Renames the keys of plain objects only, because LangChain writes messages without such members. */
function renameKey(value: unknown, from: string, to: string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKey(item, from, to));
  if (value instanceof Map) {
    return new Map([...value].map(([key, item]): [unknown, unknown] => [key, renameKey(item, from, to)]));
  }
  if (value instanceof Set) return new Set([...value].map((item) => renameKey(item, from, to)));
  if (!isObject(value) || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [
    key === from ? to : key,
    renameKey(item, from, to),
  ]);
  return Object.fromEntries(entries);
}

/**
 * LangGraph's serializer reads an object by assigning its members, and a member called `__proto__` that way becomes the
 * object's prototype: it is lost, and what is in it seems to be in the object. Under another name it passes.
 */
import { randomUUID } from "node:crypto";
import { isObject } from "../../protocol/json.ts";

const PROTO = "__proto__";
/** In the text of every JSON that has one; escaped spellings of it are not written by `JSON.stringify`. */
const QUOTED = `"${PROTO}"`;

/** Reads by `read`, which loses members called `__proto__`, without losing them. */
export async function readWithProto(text: string, read: (text: string) => Promise<unknown>): Promise<unknown> {
  if (!text.includes(QUOTED)) return await read(text);
  const name = `member ${randomUUID()}`;
  const renamed = JSON.stringify(renameKey(JSON.parse(text) as unknown, PROTO, name));
  return renameKey(await read(renamed), name, PROTO);
}

/** What is no plain object stays as it is: LangChain writes messages without such members. */
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

/**
 * Converts any value of a graph to JSON text. User code puts every kind of value into its state, and none may end a
 * run: a value without a JSON form gets the nearest form that still carries information.
 */
import type { JsonObject } from "../protocol/json.ts";
import { fieldsOf, flatMessage, isMessage, isSerializable } from "./message.ts";

/** The depth below which values are cut off, before JSON.stringify runs out of stack. */
const DEEPEST = 400;

/** Returns the JSON text of a value. Throws if it would be longer than a string can be. */
export function jsonOf(value: unknown): string {
  const plainValue = plainOf(value);
  try {
    return JSON.stringify(plainValue) ?? "null";
  } catch (cause) {
    throw new Error("The graph produced a value that is too large to be sent", { cause });
  }
}

/** Returns the same value if JSON.stringify writes it correctly; otherwise copies the path to each difference. */
export function plainOf(value: unknown): unknown {
  return plain(value, []);
}

function plain(value: unknown, above: object[]): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "[Circular]";
  if (above.length >= DEEPEST) return "[Too deep]";
  above.push(value);
  try {
    return plainObject(value, above);
  } catch {
    // A getter or a proxy threw.
    return "[Unreadable]";
  } finally {
    above.pop();
  }
}

function plainObject(value: object, above: object[]): unknown {
  if (Array.isArray(value)) return plainArray(value, above);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const form = formOf(value);
    if (form !== value) return plain(form, above);
  }
  return "toJSON" in value ? plainByItself(value, above) : plainFields(fieldsOf(value), above);
}

function plainArray(values: readonly unknown[], above: object[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < values.length; i++) {
    const item = plain(values[i], above);
    if (copy) copy.push(item);
    else if (item !== values[i]) {
      copy = values.slice(0, i);
      copy.push(item);
    }
  }
  return copy ?? values;
}

function plainFields(fields: JsonObject, above: object[]): JsonObject {
  const keys = Object.keys(fields);
  for (let i = 0; i < keys.length; i++) {
    const field = fields[keys[i] ?? ""];
    const item = plain(field, above);
    if (item !== field) return copyFields(fields, keys, i, item, above);
  }
  return fields;
}

/** Uses `fromEntries`, because assigning to a key called `__proto__` would not add a member. */
function copyFields(fields: JsonObject, keys: string[], changed: number, item: unknown, above: object[]): JsonObject {
  const entries = keys.map((key, i): [string, unknown] => {
    if (i === changed) return [key, item];
    return [key, i < changed ? fields[key] : plain(fields[key], above)];
  });
  return Object.fromEntries(entries);
}

/** Calls `toJSON` here, where it may throw. Without another form, the object's other fields are used. */
function plainByItself(value: object, above: object[]): unknown {
  const { toJSON, ...fields } = fieldsOf(value);
  if (typeof toJSON !== "function") return plainFields(fieldsOf(value), above);
  try {
    const form: unknown = Reflect.apply(toJSON, value, [""]);
    if (form !== value) return plain(form, above);
  } catch {
    // The fields are used instead.
  }
  return plainFields(fields, above);
}

/** Returns the form of an object that is more than a record of fields, or else the object itself. */
function formOf(value: object): unknown {
  if (isMessage(value)) return flatMessage(value);
  if (isSerializable(value)) return value.lc_serializable ? value.toJSON().kwargs : undefined;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (value instanceof Set) return [...value];
  if (value instanceof Map) return formOfMap(value);
  if (value instanceof RegExp) return String(value);
  if (ArrayBuffer.isView(value)) return base64(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return base64(value, 0, value.byteLength);
  return value;
}

function formOfMap(map: ReadonlyMap<unknown, unknown>): unknown {
  const entries = [...map];
  return entries.every(([key]) => typeof key === "string") ? Object.fromEntries(entries) : entries;
}

function base64(buffer: ArrayBufferLike, offset: number, length: number): string {
  return Buffer.from(buffer, offset, length).toString("base64");
}

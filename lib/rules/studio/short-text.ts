/** Short texts of values and changes. Their length is bounded whatever the value, and large values are not walked. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { counted } from "../text/counted.ts";
import { textOf } from "../threads/content.ts";
import type { ChangePath, StateChange } from "./state-difference.ts";

/** The most characters of a text in a value, and of a key in a path. */
const LONGEST_TEXT = 80;
const LONGEST_KEY = 40;
/** The most calls of a message that are named. */
const MOST_CALLS = 5;

/** Returns a JSON value in short: `"refund"`, `12`, `[12 items]`, `{3 keys}`; of a long text the beginning and its length. */
export function shortText(value: unknown, longest = LONGEST_TEXT): string {
  if (typeof value === "string") return quoted(value, longest);
  if (Array.isArray(value)) return value.length === 0 ? "[]" : `[${counted(value.length, "item")}]`;
  if (isMessage(value)) return messageText(value, longest);
  if (isObject(value)) {
    const keys = Object.keys(value).length;
    return keys === 0 ? "{}" : `{${counted(keys, "key")}}`;
  }
  return value === undefined ? "nothing" : JSON.stringify(value);
}

function isMessage(value: unknown): value is JsonObject & { type: string } {
  return isObject(value) && typeof value.type === "string" && "content" in value && !("data" in value);
}

/** Returns a message in short: `human: "12 * 7?"`, `ai, calls search_docs`. */
function messageText({ type, content, tool_calls }: JsonObject & { type: string }, longest: number): string {
  const text = textOf(content);
  const said = text === "" ? "" : `: ${quoted(text, longest)}`;
  const calls = Array.isArray(tool_calls) ? tool_calls.filter(isObject).map((call) => call.name) : [];
  const names = calls.filter((name) => typeof name === "string").slice(0, MOST_CALLS);
  const called = names.length === 0 ? "" : `, calls ${names.join(", ").slice(0, longest)}`;
  return `${type.slice(0, LONGEST_KEY)}${said}${called}`;
}

function quoted(text: string, longest: number): string {
  if (text.length <= longest) return JSON.stringify(text);
  return `${JSON.stringify(beginning(text, longest)).slice(0, -1)}…" (${counted(text.length, "character")})`;
}

/** Returns what people say or read, without quotes; of a long text the beginning. */
export function shortProse(text: string, longest: number): string {
  return text.length <= longest ? text : `${beginning(text, longest)}…`;
}

/** Cuts a text, but no character of two code units in half. */
function beginning(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, "");
}

/** Returns a path as code would write it: `messages[4].content`, `["a key"]`; `state` for the whole. */
export function pathText(path: ChangePath): string {
  if (path.length === 0) return "state";
  return path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]{0,39}$/u.test(part)) return `[${quoted(part, LONGEST_KEY)}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join("");
}

/** A change in words. */
export interface ChangeText {
  readonly path: string;
  readonly kind: StateChange["kind"];
  readonly before?: string;
  readonly after?: string;
}

/** Returns a change in short: of several items the first one, and how many there are. */
export function changeText(change: StateChange): ChangeText {
  const { kind, path } = change;
  switch (kind) {
    case "added":
      return { kind, path: pathText(path), after: shortText(change.after) };
    case "removed":
      return { kind, path: pathText(path), before: shortText(change.before) };
    case "changed":
      return { kind, path: pathText(path), before: shortText(change.before), after: shortText(change.after) };
    case "appended":
      return { kind, path: pathText(placeOf(path, change.index, change.items.length)), after: itemsText(change.items) };
    case "replaced": {
      const place = placeOf(path, change.index, Math.max(change.removed.length, change.added.length));
      return { kind, path: pathText(place), ...itemsBeforeAfter(change.removed, change.added) };
    }
  }
}

function itemsBeforeAfter(
  removed: readonly unknown[],
  added: readonly unknown[],
): Pick<ChangeText, "before" | "after"> {
  return {
    ...(removed.length > 0 ? { before: itemsText(removed) } : {}),
    ...(added.length > 0 ? { after: itemsText(added) } : {}),
  };
}

/** One item has a place of its own; several are told by their list. */
function placeOf(path: ChangePath, index: number, items: number): ChangePath {
  return items === 1 ? [...path, index] : path;
}

function itemsText(items: readonly unknown[]): string {
  return items.length === 1 ? shortText(items[0]) : counted(items.length, "item");
}

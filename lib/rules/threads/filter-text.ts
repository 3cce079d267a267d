import { isObject, type JsonObject, parseJson } from "../../protocol/json.ts";
import { isUuid } from "../uuid.ts";

/** The search that the filter field of the threads describes. */
export interface ThreadQuery {
  readonly ids: readonly string[];
  readonly metadata: JsonObject;
  /** The words that are neither an id nor `key:value`. */
  readonly unknown: readonly string[];
}

/** A word: any text without spaces, in which quoted parts may have spaces. */
const WORD = /(?:"(?:[^"\\]|\\.)*"?|[^\s"])+/g;

/** Reads the text of the filter field: ids of threads, and conditions `key:value` on their metadata. Total. */
export function readThreadQuery(text: string): ThreadQuery {
  const ids: string[] = [];
  const unknown: string[] = [];
  const metadata = new Map<string, unknown>();
  for (const [word] of text.matchAll(WORD)) {
    const at = word.indexOf(":");
    if (isUuid(word)) ids.push(word.toLowerCase());
    else if (at > 0 && at < word.length - 1) metadata.set(word.slice(0, at), valueOf(word.slice(at + 1)));
    else unknown.push(word);
  }
  return { ids, metadata: Object.fromEntries(metadata), unknown };
}

/** Numbers, booleans, null and quoted text are read as JSON; all else is text. */
function valueOf(text: string): unknown {
  const value = parseJson(text);
  return value === undefined || isObject(value) || Array.isArray(value) ? text : value;
}

/** Returns the text that asks for a member of metadata. */
export function conditionText(key: string, value: string | number | boolean | null): string {
  const isPlain = typeof value !== "string" || (/^[^\s"]+$/.test(value) && valueOf(value) === value);
  return `${key}:${isPlain ? value : JSON.stringify(value)}`;
}

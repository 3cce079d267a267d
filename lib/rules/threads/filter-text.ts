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
    const kind = kindOf(word);
    const [key, value] = partsOf(word);
    if (kind === "id") ids.push(word.toLowerCase());
    else if (kind === "condition") metadata.set(key, valueOf(value));
    else unknown.push(word);
  }
  return { ids, metadata: Object.fromEntries(metadata), unknown };
}

function kindOf(word: string): "id" | "condition" | "unknown" {
  if (isUuid(word)) return "id";
  const [key, value] = partsOf(word);
  return key !== "" && value !== "" ? "condition" : "unknown";
}

/** Returns what stands before and after the first colon; two empty texts if there is none. */
function partsOf(word: string): [key: string, value: string] {
  const at = word.indexOf(":");
  return at < 0 ? ["", ""] : [word.slice(0, at), word.slice(at + 1)];
}

/** Numbers, booleans, null and quoted text are read as JSON; all else is text. */
function valueOf(text: string): unknown {
  const value = parseJson(text);
  return value === undefined || isObject(value) || Array.isArray(value) ? text : value;
}

/** Returns the condition that is probably meant if words follow one: a value with spaces needs quotes. */
export function quotedCondition(text: string): string | undefined {
  const words = Array.from(text.matchAll(WORD), ([word]) => word);
  const isUnknown = (word: string | undefined): boolean => word !== undefined && kindOf(word) === "unknown";
  const start = words.findIndex((word, place) => kindOf(word) === "condition" && isUnknown(words[place + 1]));
  if (start < 0) return undefined;
  let end = start + 1;
  while (isUnknown(words[end])) end++;
  const [key, value] = partsOf(words.slice(start, end).join(" "));
  return conditionText(key, value);
}

/** Returns the text that asks for a member of metadata. */
export function conditionText(key: string, value: string | number | boolean | null): string {
  const isPlain = typeof value !== "string" || (/^[^\s"]+$/.test(value) && valueOf(value) === value);
  return `${key}:${isPlain ? value : JSON.stringify(value)}`;
}

import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { Visibility } from "../visibility.ts";

/** Labels of one thread, and of one search, at most: each costs a row, or a look at an index. */
const MOST = 100;
const MOST_WANTED = 8;

/** Of a thread with more members than are labelled: whoever looks for any label has to look at it. */
export const OVERFULL = "";

/** One text for a member of metadata: members that are equal as JSON have the same, and no others. */
function labelOf(key: string, value: unknown): string {
  return JSON.stringify([key, value], (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

/** What a thread can be found by. */
export function labelsOf(metadata: JsonObject): string[] {
  const members = Object.entries(metadata).filter(([, value]) => value !== undefined);
  return members.length > MOST ? [OVERFULL] : members.map(([key, value]) => labelOf(key, value));
}

/** What is asked of metadata: labels that it has, and what only a look at the metadata itself tells. */
export interface Wanted {
  labels: string[];
  metadata: JsonObject;
  visible: Visibility;
}

/** Labels stand for what is equal as a whole: not for the members of an object, nor the items of an array. */
export function toWanted(metadata: JsonObject = {}, visible: Visibility = []): Wanted {
  const labels = new Set<string>();
  const isLabelled = (key: string, value: unknown): boolean => {
    if (labels.size < MOST_WANTED) labels.add(labelOf(key, value));
    return labels.has(labelOf(key, value));
  };
  const members = Object.entries(metadata).filter(([key, value]) => isObject(value) || !isLabelled(key, value));
  const conditions = visible.filter((one) => !("equals" in one && isLabelled(one.key, one.equals)));
  return { labels: [...labels], metadata: Object.fromEntries(members), visible: conditions };
}

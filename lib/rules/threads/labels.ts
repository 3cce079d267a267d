import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { Visibility } from "../visibility.ts";

/** The most labels of one thread and of one search: each costs a row or an index lookup. */
const MOST = 100;
const MOST_WANTED = 8;

/** The only label of a thread with too many members. Every search by labels has to check such threads, too. */
export const OVERFULL = "";

/** Returns the label of a member of metadata. Two members have the same label exactly when they are equal as JSON. */
function labelOf(key: string, value: unknown): string {
  return JSON.stringify([key, value], (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

/** Returns the labels by which a thread is found. */
export function labelsOf(metadata: JsonObject): string[] {
  const members = Object.entries(metadata).filter(([, value]) => value !== undefined);
  return members.length > MOST ? [OVERFULL] : members.map(([key, value]) => labelOf(key, value));
}

/** A search by metadata: the labels that a thread must have, and the conditions that only its metadata can answer. */
export interface LabelSearch {
  labels: string[];
  metadata: JsonObject;
  visible: Visibility;
}

/** Splits a search. Labels compare whole members, so conditions inside objects and arrays stay with the metadata. */
export function toLabelSearch(metadata: JsonObject = {}, visible: Visibility = []): LabelSearch {
  const labels = new Set<string>();
  const isLabelled = (key: string, value: unknown): boolean => {
    if (labels.size < MOST_WANTED) labels.add(labelOf(key, value));
    return labels.has(labelOf(key, value));
  };
  const members = Object.entries(metadata).filter(([key, value]) => isObject(value) || !isLabelled(key, value));
  const conditions = visible.filter((one) => !("equals" in one && isLabelled(one.key, one.equals)));
  return { labels: [...labels], metadata: Object.fromEntries(members), visible: conditions };
}

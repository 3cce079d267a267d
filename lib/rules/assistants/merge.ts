/** Joins the changes that two people have made to one assistant, each from the same version. */
import type { Assistant } from "../../protocol/assistants.ts";
import { isObject } from "../../protocol/json.ts";
import { isSame } from "../forms/same-value.ts";
import { type AssistantDraft, changesOf, draftOf } from "./draft.ts";

/** A draft, with the stored assistant that it began from. */
export interface AssistantEdit {
  readonly draft: AssistantDraft;
  readonly base: Assistant;
  /** The version that was stored while the draft was written. Its changes are part of the draft now. */
  readonly meanwhile?: Meanwhile | undefined;
}

export interface Meanwhile {
  /** The version that is active now. */
  readonly version: number;
  /** False if an older version was made active. */
  readonly isNew: boolean;
  /** The members that both have changed, in which the draft has kept its own values. */
  readonly clashes: readonly (readonly string[])[];
  /** The draft as it would be with the stored values of those members. */
  readonly theirs: AssistantDraft;
  /** The draft as it was when the two were joined. */
  readonly joined: AssistantDraft;
}

/**
 * Makes a draft begin from what is stored now. Members that only the other person has changed are taken over. Undefined if
 * nothing is left to save.
 */
export function rebase({ base, draft }: AssistantEdit, now: Assistant): AssistantEdit | undefined {
  const [before, stored] = [draftOf(base), draftOf(now)];
  const { draft: joined, clashes } = mergeDrafts(before, draft, stored);
  const theirs = mergeDrafts(before, stored, draft).draft;
  const meanwhile = { version: now.version, isNew: now.version > base.version, clashes, theirs, joined };
  return unlessSaved({ draft: joined, base: now, meanwhile });
}

/**
 * Takes the stored values of the members that both have changed. What was typed since they were joined stays. Undefined if
 * nothing is left to save.
 */
export function takeTheirs(edit: AssistantEdit): AssistantEdit | undefined {
  const { draft, meanwhile } = edit;
  if (!meanwhile) return edit;
  const taken = mergeDrafts(meanwhile.joined, meanwhile.theirs, draft).draft;
  return unlessSaved({ ...edit, draft: taken, meanwhile: { ...meanwhile, clashes: [], joined: taken } });
}

/** Returns what was typed while a draft was sent and stored; undefined if nothing was. */
export function afterSave(edit: AssistantEdit, sent: AssistantDraft, saved: Assistant): AssistantEdit | undefined {
  return edit.draft === sent ? undefined : unlessSaved({ draft: edit.draft, base: saved });
}

/** Returns whether an edit has something that is not stored. */
export const isEdited = ({ base, draft }: AssistantEdit): boolean =>
  Object.keys(changesOf(draftOf(base), draft)).length > 0;

const unlessSaved = (edit: AssistantEdit): AssistantEdit | undefined => (isEdited(edit) ? edit : undefined);

/** Joins two drafts that began from one. Of a member that both have changed, the value of `first` counts. */
export function mergeDrafts(
  base: AssistantDraft,
  first: AssistantDraft,
  second: AssistantDraft,
): { readonly draft: AssistantDraft; readonly clashes: readonly (readonly string[])[] } {
  const clashes: string[][] = [];
  const join = <Name extends keyof AssistantDraft>(name: Name): AssistantDraft[Name] =>
    // A member is joined from values of its own type only, and texts are never joined to objects.
    merge(base[name], first[name], second[name], [name], clashes) as AssistantDraft[Name];
  const draft = {
    name: join("name"),
    description: join("description"),
    graph_id: join("graph_id"),
    context: join("context"),
    config: join("config"),
    metadata: join("metadata"),
  };
  return { draft, clashes };
}

/** Undefined stands for a member that is absent, as JSON has no such value. */
function merge(base: unknown, first: unknown, second: unknown, path: string[], clashes: string[][]): unknown {
  if (isSame(first, second) || isSame(base, second)) return first;
  if (isSame(base, first)) return second;
  if (!isObject(first) || !isObject(second)) {
    clashes.push(path);
    return first;
  }
  const before = isObject(base) ? base : {};
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  const members = [...names].map((name): [string, unknown] => [
    name,
    merge(own(before, name), own(first, name), own(second, name), [...path, name], clashes),
  ]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

const own = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

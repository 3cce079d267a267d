/** Texts of single fields of a form that are not JSON. They are kept while their fields are not in the page. */
import { isObject } from "../../protocol/json.ts";
import { isSame } from "./same-value.ts";
import type { FieldProblem } from "./schema-problems.ts";

type Path = FieldProblem["path"];

export interface FieldDraft {
  readonly text: string;
  /** The value of the field while the text was typed. The form still has it. */
  readonly value: unknown;
  /** Why the text is not JSON. */
  readonly reason: string;
}

/** The drafts of a form by the keys of their fields. */
export type FieldDrafts = ReadonlyMap<string, FieldDraft>;

export const NO_DRAFTS: FieldDrafts = new Map();

export const fieldKey = (path: Path): string => JSON.stringify(path);

/** Returns the path of a field. Keys are made by `fieldKey` alone. */
export const fieldPath = (key: string): Path => JSON.parse(key) as Path;

/** Returns the drafts with another one for a field, or with none. */
export function withDraft(drafts: FieldDrafts, key: string, draft: FieldDraft | undefined): FieldDrafts {
  if (!draft && !drafts.has(key)) return drafts;
  const next = new Map(drafts);
  if (draft) next.set(key, draft);
  else next.delete(key);
  return next;
}

/** Returns the draft of a field; undefined if there is none, or if the field has another value by now. */
export function draftAt(drafts: FieldDrafts, key: string, value: unknown): FieldDraft | undefined {
  const draft = drafts.get(key);
  return draft && isSame(draft.value, value) ? draft : undefined;
}

/** Returns the drafts whose fields still have their values in the value of the form: the same object if these are all. */
export function liveDrafts(drafts: FieldDrafts, value: unknown): FieldDrafts {
  const live = [...drafts].filter(([key, draft]) => isSame(valueAt(value, fieldPath(key)), draft.value));
  return live.length === drafts.size ? drafts : new Map(live);
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, part) => {
    if (Array.isArray(inner)) return typeof part === "number" ? inner[part] : undefined;
    return isObject(inner) && Object.hasOwn(inner, part) ? inner[part] : undefined;
  }, value);
}

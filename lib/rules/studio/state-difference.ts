/** The difference of two states by key. It holds parts of both states by reference, and is bounded in number. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { editsOf, isSplice } from "./list-difference.ts";
import { type Budget, isSameJson, newBudget } from "./same-json.ts";

/** Keys of objects and indexes of lists, from the outermost; empty for the whole state. */
export type ChangePath = readonly (string | number)[];

export type StateChange =
  | { readonly kind: "added"; readonly path: ChangePath; readonly after: unknown }
  | { readonly kind: "removed"; readonly path: ChangePath; readonly before: unknown }
  | { readonly kind: "changed"; readonly path: ChangePath; readonly before: unknown; readonly after: unknown }
  /** Items at the end of a list; `index` is that of the first one. */
  | { readonly kind: "appended"; readonly path: ChangePath; readonly index: number; readonly items: readonly unknown[] }
  /** Items within a list; `index` is that of the first one. */
  | {
      readonly kind: "replaced";
      readonly path: ChangePath;
      readonly index: number;
      readonly removed: readonly unknown[];
      readonly added: readonly unknown[];
    };

/**
 * Changes in the order in which they apply: an index in a path is that of the list after all changes before it. Order of
 * keys within objects is not told.
 */
export type StateDifference = readonly StateChange[];

export interface DifferenceLimits {
  /** How deep changes are told one by one, counted in keys and indexes. Deeper ones change the value around them. */
  readonly depth?: number;
  /** The most changes. An object or list with more is told as changed itself. */
  readonly count?: number;
}

/** The depth tells a field of a message in a list: `messages[3].content`. */
const DEPTH = 4;
const COUNT = 100;

const NO_DIFFERENCE: StateDifference = [];

/** Compares two states. `applyDifference(before, differenceOf(before, after))` equals `after`. */
export function differenceOf(
  before: unknown,
  after: unknown,
  { depth = DEPTH, count = COUNT }: DifferenceLimits = {},
): StateDifference {
  const found = changesOf(before, after, [], { depth, count, budget: newBudget() });
  return found.length === 0 ? NO_DIFFERENCE : found;
}

interface Comparison {
  readonly depth: number;
  readonly count: number;
  readonly budget: Budget;
}

function changesOf(before: unknown, after: unknown, path: ChangePath, comparison: Comparison): StateChange[] {
  if (Object.is(before, after)) return [];
  const whole: StateChange = { kind: "changed", path, before, after };
  if (path.length >= comparison.depth) return isSameJson(before, after, comparison.budget) ? [] : [whole];
  if (Array.isArray(before) && Array.isArray(after)) {
    return within(listChanges(before, after, path, comparison), whole, comparison);
  }
  if (isObject(before) && isObject(after)) {
    return within(objectChanges(before, after, path, comparison), whole, comparison);
  }
  return isSameJson(before, after, comparison.budget) ? [] : [whole];
}

/** Collects changes up to the limit; beyond it, tells the change of the whole value. */
function within(changes: Iterable<StateChange>, whole: StateChange, { count }: Comparison): StateChange[] {
  const found: StateChange[] = [];
  for (const change of changes) {
    if (found.length >= Math.max(1, count)) return [whole];
    found.push(change);
  }
  return found;
}

function* objectChanges(
  before: JsonObject,
  after: JsonObject,
  path: ChangePath,
  comparison: Comparison,
): Generator<StateChange> {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) yield { kind: "removed", path: [...path, key], before: before[key] };
    else yield* changesOf(before[key], after[key], [...path, key], comparison);
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) yield { kind: "added", path: [...path, key], after: after[key] };
  }
}

function* listChanges(
  before: readonly unknown[],
  after: readonly unknown[],
  path: ChangePath,
  comparison: Comparison,
): Generator<StateChange> {
  let length = before.length;
  for (const edit of editsOf(before, after, comparison.budget)) {
    const { index } = edit;
    if (!isSplice(edit)) {
      yield* changesOf(edit.before, edit.after, [...path, index], comparison);
      continue;
    }
    const { removed, added } = edit;
    if (removed.length === 0 && index === length) yield { kind: "appended", path, index, items: added };
    else yield { kind: "replaced", path, index, removed, added };
    length += added.length - removed.length;
  }
}

/** Applies a difference to the state before it. Parts that did not change are shared with it. */
export function applyDifference(before: unknown, difference: StateDifference): unknown {
  return difference.reduce((state, change) => applyAt(state, change, 0), before);
}

function applyAt(state: unknown, change: StateChange, depth: number): unknown {
  const key = change.path[depth];
  if (key === undefined) return applyHere(state, change);
  if (typeof key === "number") {
    return Array.isArray(state) && key < state.length ? state.with(key, applyAt(state[key], change, depth + 1)) : state;
  }
  if (!isObject(state)) return state;
  const isLast = depth === change.path.length - 1;
  const entries = Object.entries(state);
  if (isLast && change.kind === "removed") return Object.fromEntries(entries.filter(([name]) => name !== key));
  const value = applyAt(Object.hasOwn(state, key) ? state[key] : undefined, change, depth + 1);
  // `fromEntries` makes own members also of keys such as `__proto__`. The last entry of a key wins, in the first's place.
  return Object.fromEntries([...entries, [key, value]]);
}

function applyHere(state: unknown, change: StateChange): unknown {
  switch (change.kind) {
    case "added":
    case "changed":
      return change.after;
    case "removed":
      return undefined;
    case "appended":
      return Array.isArray(state) ? [...(state as unknown[]), ...change.items] : state;
    case "replaced":
      return Array.isArray(state) ? spliced(state, change.index, change.removed.length, change.added) : state;
  }
}

/** Works like `toSpliced`, whose arguments would overflow the stack for a million items. */
function spliced(list: readonly unknown[], index: number, removed: number, added: readonly unknown[]): unknown[] {
  return [...list.slice(0, index), ...added, ...list.slice(index + removed)];
}

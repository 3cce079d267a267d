import { isObject } from "../../protocol/json.ts";
import { type Budget, isSameJson } from "./same-json.ts";

/** Replaces items of a list in place of `removed`, from `index` on. */
export interface Splice {
  readonly index: number;
  readonly removed: readonly unknown[];
  readonly added: readonly unknown[];
}

/** An item that stayed, with its values before and after. */
export interface Kept {
  readonly index: number;
  readonly before: unknown;
  readonly after: unknown;
}

/** Edits of a list in the order in which they apply: each index is that of the list after all edits before it. */
export type ListEdit = Splice | Kept;

export const isSplice = (edit: ListEdit): edit is Splice => "removed" in edit;

type Same = (before: unknown, after: unknown) => boolean;

/**
 * Compares two lists: by the ids of their items where all have one, else by their values. Kept items may have changed,
 * but those that are identical are left out.
 */
export function editsOf(before: readonly unknown[], after: readonly unknown[], budget: Budget): ListEdit[] {
  const byId = haveIds(before) && haveIds(after);
  const same: Same = byId ? (a, b) => idOf(a) === idOf(b) : (a, b) => isSameJson(a, b, budget);
  const start = commonStart(before, after, same);
  const end = commonEnd(before, after, start, same);
  const [lost, won] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const middle = byId ? editsById(lost, won, start) : editsByPlace(lost, won, start);
  if (!byId) return middle;
  return [
    ...keptItems(before, after, 0, 0, start),
    ...middle,
    ...keptItems(before, after, before.length - end, after.length - end, end),
  ];
}

function keptItems(
  before: readonly unknown[],
  after: readonly unknown[],
  from: number,
  to: number,
  count: number,
): Kept[] {
  const kept: Kept[] = [];
  for (let at = 0; at < count; at++) {
    if (before[from + at] === after[to + at]) continue;
    kept.push({ index: to + at, before: before[from + at], after: after[to + at] });
  }
  return kept;
}

const idOf = (item: unknown): unknown => (isObject(item) ? item.id : undefined);

/** Returns whether all items have ids and no two have the same. */
function haveIds(items: readonly unknown[]): boolean {
  const ids = new Set<unknown>();
  for (const item of items) {
    const id = idOf(item);
    if ((typeof id !== "string" && typeof id !== "number") || ids.has(id)) return false;
    ids.add(id);
  }
  return true;
}

function commonStart(before: readonly unknown[], after: readonly unknown[], same: Same): number {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && same(before[at], after[at])) at++;
  return at;
}

function commonEnd(before: readonly unknown[], after: readonly unknown[], start: number, same: Same): number {
  const most = Math.min(before.length, after.length) - start;
  let at = 0;
  while (at < most && same(before[before.length - 1 - at], after[after.length - 1 - at])) at++;
  return at;
}

/** If both sides have the same number of items, each item changed in its place; else one side replaces the other. */
function editsByPlace(before: readonly unknown[], after: readonly unknown[], start: number): ListEdit[] {
  if (before.length === after.length) return keptItems(before, after, 0, 0, before.length).map(shifted(start));
  return [{ index: start, removed: before, added: after }];
}

const shifted =
  (by: number) =>
  (kept: Kept): Kept => ({ ...kept, index: kept.index + by });

/** Removes and adds single items if those that stay keep their order; else replaces all. */
function editsById(before: readonly unknown[], after: readonly unknown[], start: number): ListEdit[] {
  if (before.length === 0 && after.length === 0) return [];
  const [old, fresh] = [new Set(before.map(idOf)), new Set(after.map(idOf))];
  const edits: ListEdit[] = [];
  let [from, to] = [0, 0];
  while (from < before.length || to < after.length) {
    const [fromStart, toStart] = [from, to];
    while (from < before.length && !fresh.has(idOf(before[from]))) from++;
    while (to < after.length && !old.has(idOf(after[to]))) to++;
    const [removed, added] = [before.slice(fromStart, from), after.slice(toStart, to)];
    if (removed.length + added.length > 0) edits.push({ index: start + toStart, removed, added });
    if (from >= before.length && to >= after.length) break;
    if (idOf(before[from]) !== idOf(after[to])) return [{ index: start, removed: before, added: after }];
    if (before[from] !== after[to]) edits.push({ index: start + to, before: before[from], after: after[to] });
    [from, to] = [from + 1, to + 1];
  }
  return edits;
}

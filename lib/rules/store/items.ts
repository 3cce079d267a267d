/** The rules of the long-term store that need no database. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { type FilterOperator, isFilterOperator, type NamespaceMatch, type StoreFilter } from "../../protocol/store.ts";
import { isEqual } from "../is-equal.ts";
import { isVisible, type Visibility } from "../visibility.ts";

const MINUTE_MS = 60_000;

/** Returns whether a namespace meets all matches. A label `*` of a path matches any label. */
export function matchesNamespace(namespace: readonly string[], matches: readonly NamespaceMatch[]): boolean {
  return matches.every(({ at, path }) => {
    const start = at === "prefix" ? 0 : namespace.length - path.length;
    return path.length <= namespace.length && path.every((label, i) => label === "*" || label === namespace[start + i]);
  });
}

/** Returns the labels with which every namespace that matches begins. */
export function commonPrefix(matches: readonly NamespaceMatch[]): readonly string[] {
  const literal = matches.filter(({ at }) => at === "prefix").map(({ path }) => untilWildcard(path));
  return literal.reduce((longest, path) => (path.length > longest.length ? path : longest), []);
}

function untilWildcard(path: readonly string[]): readonly string[] {
  const wildcard = path.indexOf("*");
  return wildcard < 0 ? path : path.slice(0, wildcard);
}

export interface NamespaceListing {
  match: readonly NamespaceMatch[];
  /** The most labels of a listed namespace; longer ones are cut. */
  depth?: number;
  limit: number;
  offset: number;
}

export interface NamespaceList {
  /** Namespaces come in the order of their labels joined by periods. `items` is how many the namespace has. */
  add(namespace: readonly string[], items?: number): void;
  /** Returns the number of kept namespaces, which stays near that of the requested ones. */
  size(): number;
  page(): string[][];
  /** Returns how many items are in or below each namespace of the page. */
  counts(): number[];
}

interface ListedNamespace {
  readonly labels: string[];
  items: number;
}

/** Collects the matching namespaces: cut, each once, in the order of their labels. */
export function namespaceList({ match, depth, limit, offset }: NamespaceListing): NamespaceList {
  const wanted = offset + limit;
  let listed = new Map<string, ListedNamespace>();
  const first = (): [string, ListedNamespace][] =>
    [...listed].toSorted(([, a], [, b]) => compareLabels(a.labels, b.labels)).slice(0, wanted);
  const page = (): ListedNamespace[] =>
    first()
      .slice(offset)
      .map(([, one]) => one);
  return {
    add(namespace, items = 1) {
      if (!matchesNamespace(namespace, match)) return;
      const cut = namespace.slice(0, depth);
      const key = JSON.stringify(cut);
      listed.set(key, { labels: cut, items: (listed.get(key)?.items ?? 0) + items });
      // The namespaces above this one came before it.
      for (let labels = 1; labels < cut.length; labels++) {
        const above = listed.get(JSON.stringify(cut.slice(0, labels)));
        if (above) above.items += items;
      }
      if (listed.size > 2 * wanted + SPARE) listed = new Map(first());
    },
    size: () => listed.size,
    page: () => page().map((one) => one.labels),
    counts: () => page().map((one) => one.items),
  };
}

/** The number of namespaces that are kept before they are first sorted. */
const SPARE = 1_000;

function compareLabels(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compareText(a[i] ?? "", b[i] ?? "");
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** A condition on a member of an item's value. */
export interface FilterCondition {
  member: string;
  operator: FilterOperator;
  operand: unknown;
}

export function conditionsOf(filter: StoreFilter): FilterCondition[] {
  return Object.entries(filter).flatMap(([member, wanted]) => {
    const operators = isObject(wanted) ? Object.entries(wanted) : [];
    const conditions: FilterCondition[] = [];
    for (const [operator, operand] of operators) {
      if (isFilterOperator(operator)) conditions.push({ member, operator, operand });
    }
    if (conditions.length > 0 && conditions.length === operators.length) return conditions;
    return [{ member, operator: "$eq" as const, operand: wanted }];
  });
}

/**
 * Returns whether a value meets all conditions. Equality is that of JSON, whatever the order of members. Numbers are
 * ordered among numbers and strings among strings, by code points. A missing member equals no value.
 */
export function matchesFilter(value: JsonObject, conditions: readonly FilterCondition[]): boolean {
  return conditions.every(({ member, operator, operand }) =>
    holds(Object.hasOwn(value, member) ? value[member] : undefined, operator, operand),
  );
}

/** Returns whether an item is visible. Conditions apply to the members of its value, its namespace and its key. */
export function isItemVisible(
  visible: Visibility | undefined,
  { namespace, key, value }: { namespace: readonly string[]; key: string; value: JsonObject },
): boolean {
  return isVisible(visible, { ...value, namespace, key });
}

/** Returns the conditions of a visibility on members of values. The database can check these as it does a filter's. */
export function conditionsIn(visible: Visibility = []): FilterCondition[] {
  return visible.flatMap((condition): FilterCondition[] => {
    if (!("equals" in condition) || condition.key === "namespace" || condition.key === "key") return [];
    return [{ member: condition.key, operator: "$eq", operand: condition.equals }];
  });
}

function holds(actual: unknown, operator: FilterOperator, operand: unknown): boolean {
  switch (operator) {
    case "$eq":
      return isEqual(actual, operand);
    case "$ne":
      return !isEqual(actual, operand);
    case "$gt":
      return compare(actual, operand) > 0;
    case "$gte":
      return compare(actual, operand) >= 0;
    case "$lt":
      return compare(actual, operand) < 0;
    case "$lte":
      return compare(actual, operand) <= 0;
    case "$in":
      return Array.isArray(operand) && operand.some((one) => isEqual(actual, one));
    case "$nin":
      return !Array.isArray(operand) || !operand.some((one) => isEqual(actual, one));
  }
}

/** Returns NaN, with which every comparison fails, when the two have no order. */
function compare(actual: unknown, operand: unknown): number {
  if (typeof actual === "number" && typeof operand === "number") return actual - operand;
  if (typeof actual === "string" && typeof operand === "string") return compareText(actual, operand);
  return Number.NaN;
}

/** Compares by code points, as databases order the bytes of UTF-8. `<` would put U+FFFD after U+10000. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = rankOf(a.charCodeAt(i)) - rankOf(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Ranks surrogates above all other units, since they stand for the highest code points. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/** Returns when an item with `ttl` minutes from `now` expires, in ms since the epoch; null when it never does. */
export function expiryOf(ttl: number | null | undefined, now: number): number | null {
  return ttl === null || ttl === undefined ? null : Math.ceil(now + ttl * MINUTE_MS);
}

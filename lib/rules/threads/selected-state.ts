import { isObject } from "../../protocol/json.ts";
import type { ThreadState } from "../../protocol/threads.ts";
import { VALUES } from "./bounded-state.ts";

/** A member of each object in a list of the values, such as `values.messages[].id`. */
const EACH = /^values\.(.+)\[\]\.(.+)$/s;

/**
 * Returns the selected members of a state, with what tells of parts that were left out; `values.<key>` selects one key of
 * the values, and `values.<key>[].<member>` one member of each object in it. Selecting again changes nothing. Total.
 */
export function selectedState(state: ThreadState, select: readonly string[] | undefined): object {
  if (!select) return state;
  const wanted = new Set([...select, "omitted"]);
  const members = Object.entries(state).filter(([name]) => wanted.has(name));
  const selected = select.filter((one) => one.startsWith(VALUES));
  if (wanted.has("values") || selected.length === 0) return Object.fromEntries(members);
  const whole = new Set(selected.map((one) => one.slice(VALUES.length)));
  const parts = partsIn(selected);
  const values = isObject(state.values) ? Object.entries(state.values) : [];
  const kept = values.flatMap(([key, value]): [string, unknown][] => {
    if (whole.has(key)) return [[key, value]];
    const names = parts.get(key);
    return names && Array.isArray(value) ? [[key, value.map((item: unknown) => selectedMembers(item, names))]] : [];
  });
  return Object.fromEntries([["values", Object.fromEntries(kept)], ...members]);
}

function partsIn(selected: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const parts = new Map<string, Set<string>>();
  for (const one of selected) {
    const [, key, name] = EACH.exec(one) ?? [];
    if (key !== undefined && name !== undefined) parts.set(key, new Set([...(parts.get(key) ?? []), name]));
  }
  return parts;
}

function selectedMembers(item: unknown, names: ReadonlySet<string>): object {
  const members = isObject(item) ? Object.entries(item).filter(([name]) => names.has(name)) : [];
  return Object.fromEntries(members);
}

import { isObject } from "../../protocol/json.ts";
import type { ThreadState } from "../../protocol/threads.ts";

const KEY = "values.";

/** Returns the selected members of a state; `values.<key>` selects one key of the values. Total. */
export function selectedState(state: ThreadState, select: readonly string[] | undefined): object {
  if (!select) return state;
  const wanted = new Set(select);
  const members = Object.entries(state).filter(([name]) => wanted.has(name));
  const keys = select.filter((one) => one.startsWith(KEY)).map((one) => one.slice(KEY.length));
  if (wanted.has("values") || keys.length === 0) return Object.fromEntries(members);
  const values = isObject(state.values) ? Object.entries(state.values).filter(([key]) => keys.includes(key)) : [];
  return Object.fromEntries([["values", Object.fromEntries(values)], ...members]);
}

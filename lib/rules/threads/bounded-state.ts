import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { ThreadState } from "../../protocol/threads.ts";

/** Sizes of what was left out, in characters of JSON, by the path that `select` takes. */
export type OmittedSizes = Readonly<Record<string, number>>;

/** The beginning of the path of a key of the values. */
export const VALUES = "values.";

/**
 * Leaves the largest keys out of a state's values, and out of the result of each of its tasks, until the rest has at most
 * `limit` characters of JSON. `omitted` of the state, or of the task, tells the size of each by its path: `values.rows`.
 */
export function boundedState<State extends Partial<ThreadState>>(state: State, limit: number): State {
  const values = bounded("values", state.values, limit);
  const tasks = state.tasks?.map((task) => (isObject(task) ? boundedTask(task, limit) : task));
  return {
    ...state,
    ...(tasks && { tasks }),
    ...(values && { values: values.kept, omitted: values.omitted }),
  };
}

function boundedTask(task: JsonObject, limit: number): JsonObject {
  const result = bounded("result", task.result, limit);
  return result ? { ...task, result: result.kept, omitted: result.omitted } : task;
}

/** Returns undefined if nothing is left out. */
function bounded(name: string, value: unknown, limit: number): { kept: unknown; omitted: OmittedSizes } | undefined {
  if (!isObject(value)) {
    const size = sizeOf(value);
    return size > limit ? { kept: null, omitted: { [name]: size } } : undefined;
  }
  const bySize = Object.entries(value)
    .map(([key, member]) => ({ key, size: sizeOf(member) }))
    .toSorted((a, b) => a.size - b.size);
  let left = limit;
  const large = bySize.filter(({ size }) => (left -= size) < 0);
  if (large.length === 0) return undefined;
  const keys = new Set(large.map(({ key }) => key));
  return {
    kept: Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key))),
    omitted: Object.fromEntries(large.map(({ key, size }) => [`${name}.${key}`, size])),
  };
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

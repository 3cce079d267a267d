import { isObject } from "../../protocol/json.ts";

/** A step of a path such as `values.messages[-1].content`: a name or an index. A negative index counts from the end. */
const STEP = /([^.[\]]+)|\[(-?\d+)\]/g;

/** Returns the value at a path; null when there is none. */
function extract(from: unknown, path: string): unknown {
  let value = from;
  for (const [, name, index] of path.matchAll(STEP)) {
    if (name !== undefined) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    else value = Array.isArray(value) ? value.at(Number(index)) : undefined;
  }
  return value ?? null;
}

/** Returns the value of each path, keyed by its alias. */
export function extractAll(from: unknown, paths: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(paths).map(([alias, path]) => [alias, extract(from, path)]));
}

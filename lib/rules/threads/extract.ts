import { isObject } from "../../protocol/json.ts";

/** `values.messages[-1].content`: names and indexes, a negative one from the end. */
const STEP = /([^.[\]]+)|\[(-?\d+)\]/g;

/** The value at a path; null where the path leads nowhere. */
function extract(from: unknown, path: string): unknown {
  let value = from;
  for (const [, name, index] of path.matchAll(STEP)) {
    if (name !== undefined) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    else value = Array.isArray(value) ? value.at(Number(index)) : undefined;
  }
  return value ?? null;
}

/** By alias. */
export function extractAll(from: unknown, paths: Readonly<Record<string, string>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(paths).map(([alias, path]) => [alias, extract(from, path)]));
}

import { isObject, type JsonObject } from "../../protocol/json.ts";

/** Adds the token counts of a chunk, nested ones as well. Any other member keeps its newest value. */
export function addUsage(before: JsonObject | undefined, more: JsonObject): JsonObject {
  if (!before) return more;
  const sum = { ...before };
  for (const [key, value] of Object.entries(more)) {
    const known = sum[key];
    if (typeof known === "number" && typeof value === "number") sum[key] = known + value;
    else if (isObject(known) && isObject(value)) sum[key] = addUsage(known, value);
    else sum[key] = value;
  }
  return sum;
}

import { isObject, type JsonObject } from "../../protocol/json.ts";

/** Counts of tokens add up from chunk to chunk, those in detail as well; anything else keeps its newest value. */
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

/** Any JSON value, as parsed. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A JSON object whose members are not looked at. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether `value` nests deeper than `limit` levels. Iterative, so hostile input cannot exhaust the stack. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      if (depth >= limit) return true;
      for (const child of Object.values(item)) next.push(child);
    }
    level = next;
  }
  return false;
}

import { isObject } from "../../protocol/json.ts";

/** Deeper values than this count as different: no state nests so deep, and the recursion is bounded. */
const DEEPEST = 200;

/** How many values may still be compared. It bounds the work on states of many megabytes. */
export interface Budget {
  left: number;
}

/** The budget of a comparison: a million values take some 20 ms. */
export const newBudget = (): Budget => ({ left: 1_000_000 });

/**
 * Returns whether two JSON values are equal. Values that are not identical and that the budget does not cover count as
 * different.
 */
export function isSameJson(a: unknown, b: unknown, budget: Budget = newBudget(), depth = 0): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (depth > DEEPEST || budget.left-- <= 0) return false;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return false;
    // The last items are compared first, because lists change at their end.
    for (let at = a.length - 1; at >= 0; at--) if (!isSameJson(a[at], b[at], budget, depth + 1)) return false;
    return true;
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSameJson(a[key], b[key], budget, depth + 1))
  );
}

import { isObject, type JsonObject } from "../protocol/json.ts";

/** The conditions of what one caller may see: resources whose metadata meet all of them. */
export type Visibility = readonly VisibilityCondition[];

/** A member of the metadata equals a value, or is an array that contains all of the listed values. */
export type VisibilityCondition = { key: string; equals: unknown } | { key: string; contains: readonly unknown[] };

/** Converts the filter that an authorization handler returned; undefined when it has an unknown operator. */
export function toVisibility(filter: JsonObject): Visibility | undefined {
  const conditions: VisibilityCondition[] = [];
  for (const [key, wanted] of Object.entries(filter)) {
    if (!isObject(wanted)) {
      conditions.push({ key, equals: wanted });
      continue;
    }
    const operators = Object.entries(wanted);
    if (operators.length === 0) return undefined;
    for (const [operator, value] of operators) {
      if (operator === "$eq") conditions.push({ key, equals: value });
      else if (operator === "$contains") conditions.push({ key, contains: Array.isArray(value) ? value : [value] });
      else return undefined;
    }
  }
  return conditions;
}

/** Returns whether metadata meet all conditions. Without a visibility everything is visible. */
export function isVisible(visible: Visibility | undefined, metadata: JsonObject): boolean {
  return visible === undefined || visible.every((condition) => holds(condition, metadata));
}

function holds(condition: VisibilityCondition, metadata: JsonObject): boolean {
  if (!Object.hasOwn(metadata, condition.key)) return false;
  const value = metadata[condition.key];
  if ("equals" in condition) return isSame(value, condition.equals);
  return Array.isArray(value) && condition.contains.every((wanted) => value.some((item) => isSame(item, wanted)));
}

/** Returns whether two values are equal as JSON. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

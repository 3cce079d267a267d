import type { JsonObject } from "../../protocol/json.ts";
import { counted } from "../text/counted.ts";
import { type Field, variantsOf } from "./schema-field.ts";
import { DEEPEST, fits, itemField, membersOf, shownField } from "./schema-form.ts";

/** A difference of a value from its schema. It warns only, because schemas may be wrong. */
export interface FieldProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** More problems than these are not listed. */
export const MOST_PROBLEMS = 100;
/** Only so many items of a list are checked. */
const MOST_ITEMS = 1000;

/** Returns where a value differs from the schema of its field. Total. Patterns are not checked, because some never end. */
export function problemsOf(field: Field, value: unknown): FieldProblem[] {
  const problems: FieldProblem[] = [];
  check(field, value, [], problems);
  return problems;
}

/** Returns a path as text: `places[0].name`. */
export function pathText(path: FieldProblem["path"]): string {
  return path.map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`)).join("");
}

function check(given: Field, value: unknown, path: FieldProblem["path"], problems: FieldProblem[]): void {
  if (problems.length >= MOST_PROBLEMS || path.length > DEEPEST) return;
  const add = (message: string): void => void problems.push({ path, message });
  if (value === undefined) {
    if (given.required && path.length > 0 && !("default" in given.schema)) add("This is required.");
    return;
  }
  if (value === null) {
    if (!given.nullable && given.kind !== "json" && !given.options.includes(null)) add("Null is not allowed here.");
    return;
  }
  if (given.kind === "union") {
    if (!fits(given, value)) add(`This should be ${variantsOf(given).map(expected).join(" or ")}.`);
    else check(shownField(given, value), value, path, problems);
    return;
  }
  if (!fits(given, value)) return add(`This should be ${expected(given)}.`);
  for (const message of limitsOf(given, value)) add(message);
  if (given.kind === "object") {
    const isClosed = given.schema.additionalProperties === false;
    for (const { key, field, value: inner, isKnown } of membersOf(given, value)) {
      if (isClosed && !isKnown) problems.push({ path: [...path, key], message: "The schema does not know it." });
      else check(field, inner, [...path, key], problems);
    }
  } else if (given.kind === "list" && Array.isArray(value)) {
    value.slice(0, MOST_ITEMS).forEach((one, at) => check(itemField(given, at), one, [...path, at], problems));
  }
}

/** Returns what a field takes, in words. */
function expected(field: Field): string {
  switch (field.kind) {
    case "text":
    case "long-text":
    case "prompt":
    case "file":
      return "text";
    case "number":
      return "a number";
    case "integer":
      return "a whole number";
    case "boolean":
      return "true or false";
    case "choice":
      return field.options.length === 1 ? JSON.stringify(field.options[0]) : "one of the options";
    case "list":
      return "a list";
    case "messages":
      return "a list of messages";
    case "object":
      return "an object";
    case "union":
      return variantsOf(field).map(expected).join(" or ");
    case "json":
      return "a value";
  }
}

function limitsOf({ kind, schema }: Field, value: unknown): string[] {
  if (typeof value === "number") return numberLimits(kind === "integer", schema, value);
  if (typeof value === "string") return lengthLimits(schema.minLength, schema.maxLength, value.length, "character");
  if (Array.isArray(value)) return lengthLimits(schema.minItems, schema.maxItems, value.length, "item");
  return [];
}

function numberLimits(isWhole: boolean, schema: JsonObject, value: number): string[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  const problems: string[] = [];
  if (isWhole && !Number.isInteger(value)) problems.push("This should be a whole number.");
  if (typeof minimum === "number" && value < minimum) problems.push(`The smallest value is ${minimum}.`);
  if (typeof maximum === "number" && value > maximum) problems.push(`The largest value is ${maximum}.`);
  if (typeof above === "number" && value <= above) problems.push(`The value must be above ${above}.`);
  if (typeof below === "number" && value >= below) problems.push(`The value must be below ${below}.`);
  return problems;
}

function lengthLimits(least: unknown, most: unknown, length: number, what: string): string[] {
  if (typeof least === "number" && length < least) return [`This needs at least ${counted(least, what)}.`];
  if (typeof most === "number" && length > most) return [`This takes at most ${counted(most, what)}.`];
  return [];
}

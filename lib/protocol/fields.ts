import * as z from "zod";
import { isObject, type JsonObject, parseJson } from "./json.ts";

/** An optional field where an explicit null means the same as leaving it out. */
export const nullish = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();

/** A JSON object as it came: a schema that copies loses a member called `__proto__`. */
export const Members = z.custom<JsonObject>(isObject, "expected an object");

/** Items of a list where its field says nothing else. */
const MOST_ITEMS = 10_000;

/**
 * A list of at most so many items, which is told before any of them is looked at: `z.array(...).max(...)` looks at all
 * of them first, which is 5 s and a million complaints for a body of 2 MB.
 */
export const listOf = <S extends z.ZodType>(item: S, most = MOST_ITEMS, least = 0) =>
  z.preprocess((value, context) => {
    if (Array.isArray(value) && value.length > most) context.addIssue(`expected at most ${most} items`);
    return value;
  }, z.array(item).min(least).max(most));

/** Booleans in a query: `1`, `true`, `True`, `yes`; `0`, `false`, `False`, `no`, empty. */
export const QueryBoolean = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["1", "true", "yes", "0", "false", "no", ""]))
  .transform((text) => text === "1" || text === "true" || text === "yes");

/** Offset pagination of the search bodies. */
export const Page = {
  limit: nullish(z.int().min(1).max(1000)).transform((limit) => limit ?? 10),
  offset: nullish(z.int().min(0)).transform((offset) => offset ?? 0),
};

/**
 * A list in a query: one JSON array, repeated keys, or comma separated. An empty one means the same as leaving it out:
 * that is how the client for Python sends what it was not given.
 */
export const QueryList = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => {
    const items = [value].flat().flatMap(itemsOf);
    return items.length > 0 ? items : undefined;
  })
  .optional();

function itemsOf(part: string): string[] {
  if (part.startsWith("[")) {
    const parsed = z.array(z.string()).safeParse(parseJson(part));
    if (parsed.success) return parsed.data;
  }
  return part.split(",").filter((item) => item !== "");
}

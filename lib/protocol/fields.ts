import * as z from "zod";
import { isObject, type JsonObject, parseJson } from "./json.ts";

/** Schema of an optional field for which null means absent. */
export const nullish = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();

/** Schema of a JSON object that is not copied, because copying would lose a member called `__proto__`. */
export const Members = z.custom<JsonObject>(isObject, "expected an object");

/** The default limit of items in a list. */
const MOST_ITEMS = 10_000;

/**
 * Schema of a list that checks its length before its items. `z.array(...).max(...)` checks all items first: 5 s and a
 * million issues for a body of 2 MB.
 */
export const listOf = <S extends z.ZodType>(item: S, most = MOST_ITEMS, least = 0) =>
  z.preprocess((value, context) => {
    if (Array.isArray(value) && value.length > most) context.addIssue(`expected at most ${most} items`);
    return value;
  }, z.array(item).min(least).max(most));

/** Schema of a boolean in a query: `1`, `true`, `True`, `yes`; `0`, `false`, `False`, `no`, empty. */
export const QueryBoolean = z
  .string()
  .toLowerCase()
  .pipe(z.enum(["1", "true", "yes", "0", "false", "no", ""]))
  .transform((text) => text === "1" || text === "true" || text === "yes");

/** Schema of a time, converted to ISO 8601 in UTC. A time without a zone is UTC. */
export const Time = z.iso
  .datetime({ offset: true, local: true, error: "expected a date and time in ISO-8601" })
  .transform((text) => new Date(/(z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`).toISOString());

const Limit = nullish(z.int().min(1).max(1000)).transform((limit) => limit ?? 10);

/** Schema of a cursor. An empty one asks for the first page. */
export const Cursor = nullish(z.string().max(500));

/** Fields for pagination by cursor in the bodies of searches. */
export const CursorPage = { limit: Limit, cursor: Cursor };

/** Fields for offset pagination in the bodies of searches. */
export const Page = {
  limit: Limit,
  offset: nullish(z.int().min(0)).transform((offset) => offset ?? 0),
};

/**
 * Schema of a list in a query: a JSON array, repeated keys, or comma separated. An empty list means absent, because the
 * Python client sends it for an argument that was not given.
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

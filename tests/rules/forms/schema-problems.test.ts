import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { rootField } from "../../../lib/rules/forms/schema-field.ts";
import { startValue } from "../../../lib/rules/forms/schema-form.ts";
import { MOST_PROBLEMS, pathText, problemsOf } from "../../../lib/rules/forms/schema-problems.ts";

const trip = z.object({
  city: z.string().min(2),
  nights: z.int().min(1).max(30),
  room: z.enum(["single", "double"]).default("single"),
  guests: z.array(z.object({ name: z.string(), age: z.number().nullable() })).max(2),
  note: z.union([z.string(), z.int()]).optional(),
});

const textOf = (schema: unknown, value: unknown): string[] =>
  problemsOf(rootField(schema), value).map(({ path, message }) => `${pathText(path)}: ${message}`);

test("each difference is named by its path, in words", () => {
  const value = {
    city: "A",
    nights: 2.5,
    room: "suite",
    guests: [{ name: 1, age: null }, {}, {}],
    note: true,
    more: 1,
  };
  expect(textOf(z.toJSONSchema(trip), value)).toEqual([
    "city: This needs at least 2 characters.",
    "nights: This should be a whole number.",
    "room: This should be one of the options.",
    "guests: This takes at most 2 items.",
    "guests[0].name: This should be text.",
    "guests[1].name: This is required.",
    "guests[1].age: This is required.",
    "guests[2].name: This is required.",
    "guests[2].age: This is required.",
    "note: This should be text or a whole number.",
    "more: The schema does not know it.",
  ]);
  expect(textOf(z.toJSONSchema(trip), { city: "Oslo", nights: 31, guests: [], room: null })).toEqual([
    "nights: The largest value is 30.",
    "room: Null is not allowed here.",
  ]);
});

test("what zod accepts has no problem", () => {
  const value = { city: "Oslo", nights: 3, room: "double", guests: [{ name: "Ada", age: null }], note: 4 };
  expect(trip.safeParse(value).success).toBe(true);
  expect(textOf(z.toJSONSchema(trip), value)).toEqual([]);
});

test("a start value lacks nothing that is required", () => {
  const schema = z.toJSONSchema(trip);
  expect(textOf(schema, startValue(rootField(schema))).filter((one) => one.includes("required"))).toEqual([]);
});

test("any schema and any value give a bounded list", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (schema, value) => {
      expect(problemsOf(rootField(schema), value).length).toBeLessThanOrEqual(MOST_PROBLEMS);
    }),
  );
  const many = Array.from({ length: 5000 }, () => 1);
  expect(problemsOf(rootField({ type: "array", items: { type: "string" } }), many)).toHaveLength(MOST_PROBLEMS);
});

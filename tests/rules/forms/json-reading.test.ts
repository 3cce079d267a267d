import fc from "fast-check";
import { expect, test } from "vitest";
import { isLargerThan, readJson } from "../../../lib/rules/forms/json-draft.ts";
import { cutForReading } from "../../../lib/rules/forms/json-reading.ts";

test("JSON is read as it was written, and other text says where it ends to be JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(readJson(JSON.stringify(value, null, 2))).toEqual({ value: JSON.parse(JSON.stringify(value)) as unknown });
    }),
  );
  expect(readJson("  ")).toEqual({ value: undefined });
  const read = readJson('{\n  "a": 1,\n  "b": tru\n}');
  expect("problem" in read && read.problem).toMatch(/^Line 3, column 8: /);
  fc.assert(
    fc.property(fc.string(), (text) => {
      const found = readJson(text);
      if ("problem" in found) expect(found.problem).toMatch(/\w/);
    }),
  );
});

test("small values are shown as they are", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(cutForReading(value, false)).toEqual({ shown: value, cut: 0 });
    }),
  );
});

test("long texts are cut unless all is wanted, and long lists come in parts", () => {
  const text = "a".repeat(2500);
  const { shown, cut } = cutForReading({ text, list: [text] }, false);
  expect(cut).toBe(2);
  expect(shown).toEqual({
    text: expect.stringMatching(/^a{1000}… \(1,500 more characters\)$/),
    list: [expect.anything()],
  });
  expect(cutForReading({ text }, true)).toEqual({ shown: { text }, cut: 0 });
  const long = cutForReading(
    Array.from({ length: 450 }, (_, at) => at),
    false,
  ).shown as Record<string, object>;
  expect(Object.keys(long)).toEqual(["[0 … 199]", "[200 … 399]", "[400 … 449]"]);
  expect(long["[400 … 449]"]).toMatchObject({ 400: 400, 449: 449 });
  const huge = cutForReading(
    Array.from({ length: 100_000 }, () => 0),
    false,
  ).shown as object;
  expect(Object.keys(huge)).toHaveLength(3);
  let deep: unknown = 1;
  for (let level = 0; level < 3000; level++) deep = [deep];
  expect(JSON.stringify(cutForReading(deep, false).shown)).toContain("nested deeper");
});

test("the size of a value is told without reading all of it", () => {
  expect(isLargerThan("a".repeat(100), 50)).toBe(true);
  expect(isLargerThan({ a: ["b"] }, 50)).toBe(false);
  expect(isLargerThan([["a".repeat(30)], { name: "b".repeat(30) }], 50)).toBe(true);
  expect(isLargerThan([Array.from({ length: 100 }, () => 1), 2], 50)).toBe(true);
});

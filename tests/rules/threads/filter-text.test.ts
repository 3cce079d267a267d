import fc from "fast-check";
import { expect, test } from "vitest";
import { conditionText, quotedCondition, readThreadQuery } from "../../../lib/rules/threads/filter-text.ts";

const key = fc.oneof(fc.constantFrom("owner", "__proto__", "a.b", "1"), fc.stringMatching(/^[^\s":]+$/));
const value = fc.oneof(
  fc.string(),
  fc.constantFrom("42", "true", "null", '"', "a b", "{}", "[1]", "x:y", String.raw`\"`),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);

test("conditions that were written are read again, in any number and beside ids", () => {
  const conditions = fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 4 });
  fc.assert(
    fc.property(conditions, fc.array(fc.uuid(), { maxLength: 2 }), (members, ids) => {
      const words = [...ids, ...members.map(([name, one]) => conditionText(name, one))];
      const read = readThreadQuery(words.join("  "));
      expect(read).toEqual({ ids, metadata: Object.fromEntries(members), unknown: [] });
    }),
    { numRuns: 500 },
  );
});

test("any text can be read, and no word is lost", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const { ids, metadata, unknown } = readThreadQuery(text);
      expect(ids.length + Object.keys(metadata).length + unknown.length > 0).toBe(text.trim() !== "");
    }),
  );
});

test("values are numbers, booleans, null or text; objects stay text", () => {
  const { metadata, unknown } = readThreadQuery('n:42 b:true z:null t:"42" s:ada o:{"a":1} words only: :x');
  expect(metadata).toEqual({ n: 42, b: true, z: null, t: "42", s: "ada", o: '{"a":1}' });
  expect(unknown).toEqual(["words", "only:", ":x"]);
});

test("words that follow a condition are probably a part of its value, which then needs quotes", () => {
  expect(quotedCondition("level:3 customer:Ada  Lovelace of London")).toBe('customer:"Ada Lovelace of London"');
  const written = quotedCondition('customer:<img src="x" alt>');
  expect(written).toBe(String.raw`customer:"<img src=\"x\" alt>"`);
  expect(readThreadQuery(written ?? "").metadata).toEqual({ customer: '<img src="x" alt>' });
  for (const text of ["", "words", "words customer:ada", 'customer:"Ada Lovelace" level:3', "customer: ada"]) {
    expect(quotedCondition(text)).toBeUndefined();
  }
});

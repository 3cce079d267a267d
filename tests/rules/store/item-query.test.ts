import fc from "fast-check";
import { expect, test } from "vitest";
import { StoreFilter } from "../../../lib/protocol/store.ts";
import { hasWords, readItemQuery } from "../../../lib/rules/store/item-query.ts";

test("conditions and words are read out of one text", () => {
  expect(readItemQuery('city:Oslo age>=30 age<40 likes:"green tea" zip:"0150" Tea "two words" ok:true')).toEqual({
    filter: {
      city: { $eq: "Oslo" },
      age: { $gte: 30, $lt: 40 },
      likes: { $eq: "green tea" },
      zip: { $eq: "0150" },
      ok: { $eq: true },
    },
    words: ["tea", "two words"],
  });
  expect(readItemQuery("")).toEqual({ filter: {}, words: [] });
});

test("whatever a person types is a filter that the API takes", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ unit: fc.constantFrom("a", ":", "<", ">", "=", "!", '"', "\\", " ", "1", "{", "}", "[", "]") }),
      ),
      (text) => {
        const { filter } = readItemQuery(text);
        expect(StoreFilter.safeParse(filter).success).toBe(true);
      },
    ),
  );
});

test("words are found in key, namespace and value, in any case", () => {
  const item = { namespace: ["users", "ada"], key: "Diet", value: { likes: ["Green Tea"] } };
  expect([["diet"], ["ada", "tea"], ["green tea"], ["coffee"], []].map((words) => hasWords(item, words))).toEqual([
    true,
    true,
    true,
    false,
    true,
  ]);
});

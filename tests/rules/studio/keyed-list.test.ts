import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeyedList } from "../../../lib/rules/studio/keyed-list.ts";

/** Keys of which many differ in their first characters only, so that their hashes are the same. */
const keys = fc.uniqueArray(
  fc.oneof(
    fc.string(),
    fc.nat(400).map((n) => `${n}${"-".repeat(30)}`),
  ),
  { maxLength: 200 },
);

describe("a keyed list", () => {
  test("that is made at once is the one to which the items were added one after the other", () => {
    fc.assert(
      fc.property(keys, (all) => {
        const entries = all.map((key, index) => [key, { index }] as const);
        const atOnce = KeyedList.from(entries);
        const added = entries.reduce((list, [key, item]) => list.with(key, item), KeyedList.empty<object>());
        expect(atOnce.size).toBe(added.size);
        expect([...atOnce]).toEqual([...added]);
        for (const [key, item] of entries) expect([atOnce.get(key), added.get(key)]).toEqual([item, item]);
        expect(atOnce.get("not a key")).toBeUndefined();
      }),
    );
  });

  test("has the item last that was added last", () => {
    fc.assert(
      fc.property(keys, (all) => {
        expect(KeyedList.from(all.map((key) => [key, key])).last).toBe(all.at(-1));
      }),
    );
  });

  test("is not changed by what is added to it", () => {
    const first = KeyedList.from([["a", 1]]);
    const longer = first.with("b", 2);
    const changed = first.with("a", 3);
    expect([[...first], [...longer], [...changed]]).toEqual([[1], [1, 2], [3]]);
    expect(first.get("b")).toBeUndefined();
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KeyedList } from "../../../lib/rules/studio/keyed-list.ts";

const keys = fc.uniqueArray(fc.string(), { maxLength: 200 });

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

  test("is not changed by any list that is made from it or from one before it", () => {
    const changes = fc.array(fc.record({ from: fc.nat(), key: fc.nat(150).map(String), item: fc.nat(3) }), {
      minLength: 1,
      maxLength: 400,
    });
    const newest = fc.boolean();
    fc.assert(
      fc.property(changes, newest, (all, isNewest) => {
        const lists = [KeyedList.empty<number>()];
        const models = [new Map<string, number>()];
        for (const { from, key, item } of all) {
          // Half of the histories are one line with few branches.
          const at = isNewest && from % 10 > 0 ? lists.length - 1 : from % lists.length;
          lists.push((lists[at] ?? KeyedList.empty<number>()).with(key, item));
          models.push(new Map(models[at]).set(key, item));
        }
        for (const [at, model] of models.entries()) {
          const list = lists[at];
          expect([...(list ?? [])]).toEqual([...model.values()]);
          expect(list?.size).toBe(model.size);
          for (let key = 0; key <= 150; key += 5) expect(list?.get(`${key}`)).toBe(model.get(`${key}`));
          expect([list?.at(-1), list?.at(model.size)]).toEqual([undefined, undefined]);
        }
      }),
    );
  });

  test("stays the same when an item is replaced by itself", () => {
    const list = KeyedList.from([["a", 1]]);
    expect(list.with("a", 1)).toBe(list);
  });
});

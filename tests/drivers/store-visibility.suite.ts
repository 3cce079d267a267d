import fc from "fast-check";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { NewItem, StoreItems } from "../../lib/engine/ports/store.ts";
import { isItemVisible } from "../../lib/rules/store/items.ts";
import { type Visibility } from "../../lib/rules/visibility.ts";
import type { StoreItemsUnderTest } from "./store.suite.ts";
import { allOf } from "../support/all-of.ts";

/** Tests that every store of items hides items from callers who may not see them. */
export function storeVisibilitySuite(name: string, open: () => Promise<StoreItemsUnderTest>): void {
  describe(`items that are not visible, in ${name}`, () => {
    let store: StoreItemsUnderTest;
    let items: StoreItems;
    let root: string;
    let roots = 0;
    beforeAll(async () => {
      store = await open();
      ({ items } = store);
    });
    afterAll(() => store.close());
    beforeEach(() => (root = `hidden${roots++}`));

    const make = (labels: string[], key: string, value: NewItem["value"] = {}): NewItem => ({
      id: uuid(),
      namespace: [root, ...labels],
      key,
      value,
      ttl: null,
      expires: null,
      vectors: new Map([["$", Float32Array.of(1, 0)]]),
    });
    const ada: Visibility = [{ key: "owner", equals: "ada" }];
    const query = { conditions: [], limit: 1000, offset: 0 };
    const search = async (visible: Visibility, page = {}) =>
      (await items.search({ ...query, ...page, prefix: [root], visible }, 0)).map(({ key }) => key);

    test("leave no gap in a page, nor in a search by similarity", async () => {
      const all = Array.from({ length: 1200 }, (_, n) => make([], String(n), { owner: n % 3 === 0 ? "ada" : "bob" }));
      await items.write(all, [], 0);
      expect(await search(ada, { limit: 3, offset: 300 })).toEqual(["900", "903", "906"]);
      const near = await items.nearest({ ...query, prefix: [root], visible: ada, limit: 3 }, Float32Array.of(1, 0), 0);
      expect(near.map(({ key }) => Number(key) % 3)).toEqual([0, 0, 0]);
    });

    test("show no namespace, however many items one has", async () => {
      const many = Array.from({ length: 700 }, (_, n) => make(["a"], String(n), { owner: n === 650 ? "ada" : "bob" }));
      const more = Array.from({ length: 600 }, (_, n) => make(["c"], String(n), { owner: "ada" }));
      await items.write(
        [...many, make(["b"], "x", { owner: "bob" }), ...more, make(["d"], "y", { owner: "ada" })],
        [],
        0,
      );
      const shown = async (visible: Visibility) =>
        (await allOf(items.namespaces([root], 0, visible))).map((namespace) => namespace.slice(1).join("."));
      expect(await shown(ada)).toEqual(["a", "c", "d"]);
      expect((await allOf(items.countedNamespaces([root], 0, ada))).map((one) => one.items)).toEqual([1, 600, 1]);
      expect(await shown([{ key: "owner", contains: ["ada"] }])).toEqual([]);
      expect(await shown([{ key: "namespace", equals: [root, "b"] }])).toEqual(["b"]);
      expect(await shown([{ key: "namespace", contains: ["d"] }, ...ada])).toEqual(["d"]);
      expect(await shown([])).toEqual(["a", "b", "c", "d"]);
    });

    test("are neither deleted nor overwritten, and a write that would overwrite one is refused", async () => {
      await items.write([make([], "theirs", { owner: "bob" }), make([], "mine", { owner: "ada" })], [], 0);
      const puts = [make([], "new", { owner: "ada" }), make([], "theirs", { owner: "ada" })];
      expect(await items.write(puts, [make([], "mine")], 0, { visible: ada })).toBe("hidden");
      expect(await search([])).toEqual(["theirs", "mine"]);
      expect(await items.write([], [make([], "theirs"), make([], "mine")], 0, { visible: ada })).toBe("written");
      expect(await search([])).toEqual(["theirs"]);
    });

    test("keep their owner when two callers create an item at the same time", async () => {
      const bob: Visibility = [{ key: "owner", equals: "bob" }];
      const both = await Promise.all([
        items.write([make([], "k", { owner: "ada" })], [], 0, { visible: ada }),
        items.write([make([], "k", { owner: "bob" })], [], 0, { visible: bob }),
      ]);
      expect(both).toEqual(["written", "hidden"]);
      expect(await search(ada)).toEqual(["k"]);
    });

    test("are exactly those that the rules hide, for any JSON", async () => {
      const text = fc.constantFrom("a", "b", "owner", "key", "namespace", "\0", "\ud800", "😀");
      const scalar = fc.oneof(text, fc.integer(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null));
      const json = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.dictionary(text, scalar, { maxKeys: 2 }));
      const condition = fc.oneof(
        fc.record({ key: text, equals: json }),
        fc.record({ key: text, contains: fc.array(scalar, { maxLength: 2 }) }),
      );
      const values = fc.array(fc.dictionary(text, json, { maxKeys: 3 }), { minLength: 1, maxLength: 6 });
      let cases = 0;
      await fc.assert(
        fc.asyncProperty(values, fc.array(condition, { maxLength: 2 }), fc.nat(), async (some, others, pick) => {
          const asJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
          const labels = [`case${cases++}`];
          const stored = some.map((value, n) => make(labels, String(n), asJson(value)));
          // Half of the generated conditions take a stored value, so that some items are visible.
          const own = stored.flatMap(({ value }) => Object.entries(value));
          const [key, equals] = own[pick % Math.max(1, own.length)] ?? ["a", null];
          const visible: Visibility = asJson(pick % 2 === 0 ? [{ key, equals }] : others);
          await items.write(stored, [], 0);
          const expected = stored.filter((item) => isItemVisible(visible, item)).map((item) => item.key);
          const prefix = [root, ...labels];
          expect((await items.search({ ...query, prefix, visible }, 0)).map((item) => item.key)).toEqual(expected);
          expect(await allOf(items.namespaces(prefix, 0, visible))).toHaveLength(expected.length > 0 ? 1 : 0);
        }),
        { numRuns: 150 },
      );
    });
  });
}

import fc from "fast-check";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ItemQuery, NewItem, StoreItems } from "../../lib/engine/ports/store.ts";
import { conditionsOf, expiryOf, matchesFilter } from "../../lib/rules/store/items.ts";
import { allOf } from "../support/all-of.ts";

export interface StoreItemsUnderTest {
  items: StoreItems;
  close(): Promise<void>;
}

const MINUTE = 60_000;

/** Tests that every store of items must pass. They set the clock themselves, so no test waits. */
export function storeItemsSuite(name: string, open: () => Promise<StoreItemsUnderTest>): void {
  describe(`stored items in ${name}`, () => {
    let store: StoreItemsUnderTest;
    let items: StoreItems;
    let root: string;
    let roots = 0;
    beforeAll(async () => {
      store = await open();
      ({ items } = store);
    });
    afterAll(() => store.close());
    beforeEach(() => (root = `root${roots++}`));

    const make = (labels: string[], key: string, more: Partial<NewItem> = {}): NewItem => ({
      id: uuid(),
      namespace: [root, ...labels],
      key,
      value: { key },
      ttl: null,
      expires: null,
      vectors: new Map(),
      ...more,
    });
    const mortal = (key: string, ttl: number, now: number): NewItem =>
      make([], key, { ttl, expires: expiryOf(ttl, now) });
    const query = (labels: string[] = [], more: Partial<ItemQuery> = {}): ItemQuery => ({
      prefix: [root, ...labels],
      conditions: [],
      limit: 1000,
      offset: 0,
      ...more,
    });
    const keys = async (wanted: ItemQuery, now = 0): Promise<string[]> =>
      (await items.search(wanted, now)).map(({ key }) => key);
    const vector = (...numbers: number[]): Map<string, Float32Array> => new Map([["$", Float32Array.from(numbers)]]);

    test("an item is read as it was stored, with both of its times", async () => {
      const value = { text: "ä\0\ud800\u2028", deep: { list: [1, null, 1.5e300] }, ["__proto__"]: 1 };
      await items.write([make(["a"], "k", { value, ttl: 2.5, expires: 9000 })], [], 5000);
      const at = new Date(5000).toISOString();
      const item = await items.get({ namespace: [root, "a"], key: "k" }, 8999);
      expect(item).toEqual({ namespace: [root, "a"], key: "k", value, ttl: 2.5, created_at: at, updated_at: at });
      expect(await items.get({ namespace: [root], key: "k" }, 0)).toBeUndefined();
      expect(await items.get({ namespace: [root, "a"], key: "K" }, 0)).toBeUndefined();
    });

    test("storing again keeps the creation time and the position in the order, and replaces the rest", async () => {
      await items.write([make([], "a"), make([], "b")], [], 1000);
      await items.write([make([], "a", { value: { n: 2 }, ttl: 1, expires: 90_000 })], [], 2000);
      const [first] = await items.search(query(), 3000);
      expect(first).toMatchObject({ key: "a", value: { n: 2 }, ttl: 1 });
      expect([first?.created_at, first?.updated_at]).toEqual([1000, 2000].map((ms) => new Date(ms).toISOString()));
      expect(await keys(query(), 3000)).toEqual(["a", "b"]);
    });

    test("deletion is idempotent, and a new item with the same key is younger", async () => {
      await items.write([make([], "a"), make([], "b")], [], 1000);
      await items.write([], [make([], "a"), make([], "nothing")], 1000);
      expect(await keys(query())).toEqual(["b"]);
      await items.write([make([], "a")], [], 2000);
      expect(await keys(query())).toEqual(["b", "a"]);
    });

    test("a prefix matches whole labels only, at any depth, whatever characters they have", async () => {
      const labels = [
        ["a"],
        ["ab"],
        ["a", "b"],
        ["a-b"],
        ["a/b"],
        ["a%"],
        ["A"],
        ["a", "b", "c"],
        ["a\u{10ffff}"],
        ["a!"],
        ["_"],
      ];
      await items.write(
        labels.map((one) => make(one, one.join(">"))),
        [],
        0,
      );
      expect(await keys(query(["a"]))).toEqual(["a", "a>b", "a>b>c"]);
      expect(await keys(query(["a", "b"]))).toEqual(["a>b", "a>b>c"]);
      expect(await keys(query(["a%"]))).toEqual(["a%"]);
      expect(await keys(query(["_"]))).toEqual(["_"]);
      expect(await keys(query())).toHaveLength(labels.length);
      expect(await allOf(items.namespaces([root, "a"], 0))).toHaveLength(3);
      expect((await allOf(items.namespaces([root], 0))).map((one) => one.slice(1))).toEqual(
        expect.arrayContaining(labels),
      );
    });

    test("each namespace is found once, even if there are more than are read at once", async () => {
      const labels = Array.from({ length: 1_100 }, (_, n) => [`n${n}`]);
      await items.write(
        labels.flatMap((one) => [make(one, "a"), make(one, "b")]),
        [],
        0,
      );
      const found = await allOf(items.namespaces([root], 0));
      expect(found.toSorted()).toEqual(labels.map((one) => [root, ...one]).toSorted());
    });

    test("each namespace is counted, also over more rows than are read at once, without expired items", async () => {
      const labels = Array.from({ length: 600 }, (_, n) => [`n${String(n).padStart(3, "0")}`]);
      const many = Array.from({ length: 700 }, (_, n) => make(["n300"], `more ${n}`));
      await items.write([...labels.flatMap((one) => [make(one, "a"), make(one, "b", { expires: 5 })]), ...many], [], 0);
      for (const visible of [undefined, []]) {
        const found = await allOf(items.countedNamespaces([root], 5, visible));
        expect(found.map((one) => one.namespace)).toEqual(labels.map((one) => [root, ...one]));
        expect(found.map((one) => one.items)).toEqual(labels.map((_, n) => (n === 300 ? 701 : 1)));
      }
      expect(await allOf(items.countedNamespaces([root, "n001"], 0))).toEqual([
        { namespace: [root, "n001"], items: 2 },
      ]);
    });

    test("pages follow each other without overlap, with or without a filter, over more rows than are read at once", async () => {
      const all = Array.from({ length: 1300 }, (_, n) => make([], String(n), { value: { n, even: n % 2 === 0 } }));
      await items.write(all, [], 0);
      const evens = conditionsOf({ even: true, n: { $gte: 100 } });
      const wanted = all.filter((_, n) => n % 2 === 0 && n >= 100).map(({ key }) => key);
      const pages = await Promise.all(
        [0, 250, 500].map((offset) => keys(query([], { conditions: evens, limit: 250, offset }))),
      );
      expect(pages.flat()).toEqual(wanted);
      expect(await keys(query([], { limit: 1_000_000, offset: 1 }))).toEqual(all.slice(1).map(({ key }) => key));
      expect(await keys(query([], { limit: 3, offset: 1298 }))).toEqual(["1298", "1299"]);
      expect(await keys(query([], { limit: 5, offset: 1300 }))).toEqual([]);
    });

    test("a filter finds exactly what the rules say it matches, for any JSON", async () => {
      const text = fc.string({
        unit: fc.constantFrom("a", "b", '"', "\\", "é", "😀", "\n", ".", "$", "'", "\0", "\ud800"),
      });
      const scalar = fc.oneof(
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
      );
      const json = fc.oneof(scalar, fc.array(scalar, { maxLength: 2 }), fc.dictionary(text, scalar, { maxKeys: 2 }));
      const member = fc.oneof(text, fc.constantFrom("a", "__proto__", "length"));
      const values = fc.array(fc.dictionary(member, json, { maxKeys: 3 }), { minLength: 1, maxLength: 8 });
      const operator = fc.constantFrom("$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin");
      let cases = 0;
      await fc.assert(
        fc.asyncProperty(values, operator, json, fc.nat(), async (some, name, other, pick) => {
          const stored = some.map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>);
          // Half of the generated operands come from a stored value, so that some items match.
          const pairs = stored.flatMap((value) => Object.entries(value));
          const [key, own] = pairs[pick % Math.max(1, pairs.length)] ?? ["a", other];
          const operand = pick % 2 === 0 ? own : other;
          const wanted = name === "$in" || name === "$nin" ? [operand, other] : operand;
          const conditions = conditionsOf({ [key]: { [name]: wanted } });
          const labels = [`case${cases++}`];
          await items.write(
            stored.map((value, n) => make(labels, String(n), { value })),
            [],
            0,
          );
          const expected = stored.flatMap((value, n) => (matchesFilter(value, conditions) ? [String(n)] : []));
          expect(await keys(query(labels, { conditions }))).toEqual(expected);
        }),
        { numRuns: 300 },
      );
    });

    test("an expired item is absent, even before it is swept", async () => {
      await items.write([mortal("m", 1, 0), make([], "n")], [], 0);
      const place = { namespace: [root], key: "m" };
      expect(await items.get(place, MINUTE - 1)).toBeDefined();
      expect(await items.get(place, MINUTE)).toBeUndefined();
      expect(await keys(query(), MINUTE)).toEqual(["n"]);
      expect((await items.nearest(query(), Float32Array.of(1), MINUTE)).map(({ key }) => key)).toEqual(["n"]);
      await items.write([], [make([], "n")], 0);
      expect(await allOf(items.namespaces([root], MINUTE - 1))).toEqual([[root]]);
      expect(await allOf(items.namespaces([root], MINUTE))).toEqual([]);
    });

    test("an item that is stored over an expired one is new in every way", async () => {
      await items.write([{ ...mortal("m", 1, 0), vectors: vector(1, 0) }, make([], "other")], [], 0);
      await items.write([mortal("m", 1, 2 * MINUTE)], [], 2 * MINUTE);
      const found = await items.search(query(), 2 * MINUTE);
      expect(found.map(({ key }) => key)).toEqual(["other", "m"]);
      expect(found[1]?.created_at).toBe(new Date(2 * MINUTE).toISOString());
    });

    test("a refresh extends the life of an item, but revives no expired one", async () => {
      await items.write([mortal("m", 1, 0), make([], "immortal")], [], 0);
      const place = { namespace: [root], key: "m" };
      await items.refresh([{ ...place, expires: 3 * MINUTE }], MINUTE - 1);
      expect(await items.get(place, 3 * MINUTE - 1)).toBeDefined();
      await items.refresh([{ ...place, expires: 9 * MINUTE }], 3 * MINUTE);
      expect(await items.get(place, 3 * MINUTE)).toBeUndefined();
      await items.refresh([{ namespace: [root], key: "immortal", expires: 1 }], 0);
      expect(await items.get({ namespace: [root], key: "immortal" }, 5)).toBeDefined();
    });

    test("a sweep deletes exactly the expired items, and returns their number", async () => {
      await items.sweep(Number.MAX_SAFE_INTEGER);
      await items.write([mortal("a", 1, 0), mortal("b", 2, 0), make([], "c")], [], 0);
      expect(await items.sweep(MINUTE - 1)).toBe(0);
      expect(await items.sweep(MINUTE)).toBe(1);
      expect(await keys(query())).toEqual(["b", "c"]);
      expect(await items.sweep(5 * MINUTE)).toBe(1);
    });

    test("all writes of a call are stored, or none", async () => {
      await items.write([make([], "a", { id: "taken" + root })], [], 0);
      await expect(
        items.write([make([], "b"), make([], "c", { id: "taken" + root })], [make([], "a")], 0),
      ).rejects.toThrow(/unique/i);
      expect(await keys(query())).toEqual(["a"]);
    });

    test("the nearest come first with their scores, by the nearest of several texts, then items without vectors", async () => {
      const both = new Map([
        ["x", Float32Array.of(0, 1)],
        ["y", Float32Array.of(1, 0.1)],
      ]);
      await items.write(
        [
          make([], "none"),
          make([], "far", { vectors: vector(0, 1) }),
          make([], "near", { vectors: vector(2, 0) }),
          make([], "both", { vectors: both, value: { kind: "b" } }),
          make([], "odd", { vectors: vector(1, 0, 0) }),
        ],
        [],
        0,
      );
      const queryVector = Float32Array.of(1, 0);
      const found = await items.nearest(query(), queryVector, 0);
      expect(found.map(({ key }) => key)).toEqual(["near", "both", "far", "none", "odd"]);
      expect(found.map(({ score }) => (typeof score === "number" ? Math.round(score * 100) : score))).toEqual([
        100,
        100,
        0,
        null,
        null,
      ]);
      const page = await items.nearest(query([], { limit: 2, offset: 1 }), queryVector, 0);
      expect(page.map(({ key }) => key)).toEqual(["both", "far"]);
      const filtered = await items.nearest(query([], { conditions: conditionsOf({ kind: "b" }) }), queryVector, 0);
      expect(filtered.map(({ key }) => key)).toEqual(["both"]);
      await items.write([make([], "near")], [], 0);
      expect((await items.nearest(query([], { limit: 1 }), queryVector, 0)).map(({ key }) => key)).toEqual(["both"]);
    });
  });
}

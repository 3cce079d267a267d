import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { StoreFilter } from "../../../lib/protocol/store.ts";
import { textsOf } from "../../../lib/rules/store/item-texts.ts";
import { nearness, rank, unit } from "../../../lib/rules/store/nearness.ts";
import {
  commonPrefix,
  compareText,
  conditionsOf,
  expiryOf,
  namespaceList,
  matchesFilter,
  matchesNamespace,
} from "../../../lib/rules/store/items.ts";
import { refuseNamespace } from "../../../lib/rules/store/namespace.ts";

const label = fc.constantFrom("a", "b", "ab", "c");
const namespace = fc.array(label, { minLength: 1, maxLength: 4 });
const path = fc.array(fc.oneof(label, fc.constant("*")), { maxLength: 3 });
const match = fc.record({ at: fc.constantFrom("prefix" as const, "suffix" as const), path });
const json = fc.jsonValue({ maxDepth: 2 });
const value = fc.dictionary(fc.string(), json);

const matches = (item: Record<string, unknown>, filter: Record<string, unknown>): boolean =>
  matchesFilter(item, conditionsOf(filter));

describe("namespaces", () => {
  test("that are empty, have an empty label, a period or the reserved root are refused with the message that clients match", () => {
    expect(refuseNamespace([])).toMatchObject({ because: "empty" });
    for (const labels of [[""], ["a", ""], ["a.b"], ["a", "."]]) {
      expect(refuseNamespace(labels)?.message).toBe(
        `Namespace labels cannot be empty or contain periods. Received: ${labels.join(".")}`,
      );
    }
    expect(refuseNamespace(["langgraph", "x"])).toMatchObject({ because: "reserved" });
    expect(refuseNamespace(["a", "langgraph", "*"])).toBeUndefined();
  });

  test("match every prefix and suffix of themselves, with any label replaced by *", () => {
    fc.assert(
      fc.property(namespace, fc.nat(4), fc.nat(3), (labels, length, wild) => {
        const make = (part: string[]): string[] => part.map((one, i) => (i === wild ? "*" : one));
        const prefix = { at: "prefix" as const, path: make(labels.slice(0, length)) };
        const suffix = { at: "suffix" as const, path: make(labels.slice(Math.max(0, labels.length - length))) };
        expect(matchesNamespace(labels, [prefix, suffix])).toBe(true);
      }),
    );
  });

  test("that match begin with the common prefix", () => {
    fc.assert(
      fc.property(namespace, fc.array(match, { maxLength: 3 }), (labels, all) => {
        if (!matchesNamespace(labels, all)) return;
        const common = commonPrefix(all);
        expect(labels.slice(0, common.length)).toEqual(common);
      }),
    );
  });

  const listed = (all: readonly string[][], listing: { depth?: number; limit: number; offset: number }) => {
    const list = namespaceList({ match: [], ...listing });
    for (const one of all) list.add(one);
    return list.page();
  };

  test("are listed whatever their number, and only about twice the requested ones are held in memory", () => {
    const all = Array.from({ length: 50_000 }, (_, n) => [`${(n * 7919) % 50_000}`.padStart(5, "0")]);
    const list = namespaceList({ match: [], limit: 100, offset: 20_000 });
    for (const one of all) {
      list.add(one);
      expect(list.size()).toBeLessThanOrEqual(41_200);
    }
    expect(list.page()).toEqual(all.toSorted().slice(20_000, 20_100));
  });

  test("are counted with the items in and below them, whatever the depth and the page", () => {
    const few = fc.array(fc.constantFrom("a", "b", "a-", "c"), { minLength: 1, maxLength: 4 });
    const counted = fc.uniqueArray(fc.tuple(few, fc.integer({ min: 1, max: 9 })), {
      selector: ([labels]) => labels.join("."),
    });
    const page = fc.record({
      depth: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 9 }),
      offset: fc.nat(3),
    });
    fc.assert(
      fc.property(counted, page, (all, listing) => {
        const list = namespaceList({ match: [], ...listing });
        // The rows are in the order in which the database yields them.
        for (const [labels, items] of all.toSorted(([a], [b]) => (a.join(".") < b.join(".") ? -1 : 1)))
          list.add(labels, items);
        const below = (above: string[]): number =>
          all
            .filter(([labels]) => above.every((label, n) => labels[n] === label))
            .reduce((sum, [, items]) => sum + items, 0);
        expect(list.counts()).toEqual(list.page().map(below));
      }),
    );
  });

  test("are listed once each, in order, page by page, none longer than the depth", () => {
    fc.assert(
      fc.property(
        fc.array(namespace),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        (all, depth, size) => {
          const everything = listed(all, { depth, limit: 1000, offset: 0 });
          const keys = everything.map((labels) => JSON.stringify(labels));
          expect(new Set(keys)).toEqual(new Set(all.map((labels) => JSON.stringify(labels.slice(0, depth)))));
          expect(new Set(keys).size).toBe(keys.length);
          const pages = everything.flatMap((_, page) => listed(all, { depth, limit: size, offset: page * size }));
          expect(pages).toEqual(everything);
        },
      ),
    );
  });
});

describe("filters", () => {
  test("with a value's own members match it, and their negations do not", () => {
    fc.assert(
      fc.property(value, (item) => {
        for (const [member, wanted] of Object.entries(item)) {
          const eq = [{ member, operator: "$eq" as const, operand: structuredClone(wanted) }];
          const ne = [{ member, operator: "$ne" as const, operand: structuredClone(wanted) }];
          expect([matchesFilter(item, eq), matchesFilter(item, ne)]).toEqual([true, false]);
        }
      }),
    );
  });

  test("compare numbers and strings with their own kind in a total order, and nothing else", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const found = (["$lt", "$lte", "$gt", "$gte"] as const).map((operator) =>
          matches({ a }, { a: { [operator]: b } }),
        );
        const comparable = typeof a === typeof b && (typeof a === "number" || typeof a === "string");
        if (!comparable) {
          expect(found).toEqual([false, false, false, false]);
          return;
        }
        const [lt, lte, gt, gte] = found;
        expect([lt, gt]).toEqual([!gte, !lte]);
        expect(lte && gte).toBe(a === b);
      }),
    );
  });

  test("match when all of their operators do; a missing member equals nothing", () => {
    expect(matches({ n: 5 }, { n: { $gt: 4, $lte: 5 } })).toBe(true);
    expect(matches({ n: 5 }, { n: { $gt: 4, $lt: 5 } })).toBe(false);
    expect(matches({ n: 5 }, { n: { $in: [4, 5] }, m: { $nin: [1] } })).toBe(true);
    expect(matches({}, { n: null })).toBe(false);
    expect(matches({}, { n: { $ne: 1 } })).toBe(true);
    expect(matches({ n: { b: [1], a: 2 } }, { n: { a: 2, b: [1] } })).toBe(true);
    expect(matches({}, { constructor: { $gt: "" } })).toBe(false);
  });

  test("with an unknown operator are refused by name", () => {
    expect(StoreFilter.safeParse({ a: { $regex: "x" } }).error?.issues[0]?.path).toEqual(["a", "$regex"]);
    expect(StoreFilter.safeParse({ a: { $in: "x" } }).success).toBe(false);
    expect(StoreFilter.safeParse({ a: { $gt: 1 }, b: {}, c: [{ $x: 1 }] }).success).toBe(true);
  });

  test("order text by the bytes of UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});

test("an item without a lifetime never expires, and another one after exactly its minutes", () => {
  expect([expiryOf(null, 5), expiryOf(undefined, 5)]).toEqual([null, null]);
  expect(expiryOf(1.5, 1000)).toBe(91_000);
  expect(expiryOf(1e-9, 1000)).toBe(1001);
});

describe("the similarity of vectors", () => {
  const vector = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: -100, max: 100 }), {
    minLength: 3,
    maxLength: 3,
  });

  test("is 1 to itself, lies between -1 and 1, is symmetric and does not depend on length", () => {
    fc.assert(
      fc.property(vector, vector, (one, other) => {
        const [a, b] = [Float32Array.from(one), Float32Array.from(other)];
        const near = nearness(unit(a), unit(b));
        expect(Math.abs(near)).toBeLessThanOrEqual(1 + 1e-6);
        expect(nearness(unit(b), unit(a))).toBe(near);
        expect(nearness(unit(a.map((x) => x * 4)), unit(b))).toBeCloseTo(near, 5);
        if (one.some((x) => Math.abs(x) > 0.001)) expect(nearness(unit(a), unit(a))).toBeCloseTo(1, 5);
      }),
    );
  });

  test("ranks the nearest first and items without a score last", () => {
    const ranked = rank([
      ["d", null],
      ["c", -0.5],
      ["b", 0.9],
      ["a", 0.9],
    ]);
    expect(ranked.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
  });
});

describe("the texts of a value", () => {
  const item = {
    title: "T",
    n: 3,
    none: null,
    empty: "",
    meta: { by: "Ann", tags: ["x", "y"] },
    chapters: [{ text: "one" }, { text: "two" }, { other: 1 }],
  };
  test.each([
    ["title", { title: "T" }],
    ["n", { n: "3" }],
    ["meta.by", { "meta.by": "Ann" }],
    ["chapters[*].text", { "chapters[*].text.0": "one", "chapters[*].text.1": "two" }],
    ["chapters[-2].text", { "chapters[-2].text": "two" }],
    ["meta.tags[0]", { "meta.tags[0]": "x" }],
    ["meta.{by,tags[1]}", { "meta.{by,tags[1]}.0": "Ann", "meta.{by,tags[1]}.1": "y" }],
    ["meta", { meta: '{"by":"Ann","tags":["x","y"]}' }],
    ["chapters.text", {}],
    ["none", {}],
    ["empty", {}],
    ["constructor", {}],
    ["chapters[x]", {}],
  ])("at %s are found with their paths", (at, texts) => {
    expect(Object.fromEntries(textsOf(item, [at]))).toEqual(texts);
  });

  test("at $ are the whole value as JSON, and any path can be read on any value", () => {
    expect([...textsOf({ a: 1 }, ["$"]).values()]).toEqual(['{"a":1}']);
    fc.assert(
      fc.property(
        value,
        fc.string({ unit: fc.constantFrom("a", ".", "[", "]", "*", "{", "}", "0", "-") }),
        (any, at) => {
          for (const text of textsOf(any, [at]).values()) expect(text).not.toBe("");
        },
      ),
    );
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyDifference,
  type ChangePath,
  differenceOf,
  type StateChange,
} from "../../../lib/rules/studio/state-difference.ts";
import { changeText, pathText, shortProse, shortText } from "../../../lib/rules/studio/short-text.ts";

/** Few keys and values, so that two states have much in common. */
const key = fc.constantFrom("messages", "n", "a b", "__proto__", "constructor", "toString", "");
const leaf = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("x", "y", "", null, true));
const item = fc.record({ id: fc.constantFrom("m1", "m2", "m3", "m4", "m5", "m6"), content: leaf });
const ownObject = <T>(values: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(key, values), { maxLength: 4 }).map((entries): object => Object.fromEntries(entries));
const { state } = fc.letrec<{ state: unknown }>((tie) => ({
  state: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.uniqueArray(item, { selector: ({ id }) => id, maxLength: 6 }),
    fc.array(tie("state"), { maxLength: 5 }),
    ownObject(tie("state")),
  ),
}));
const limits = fc.record({ depth: fc.nat(5), count: fc.nat(6) }, { requiredKeys: [] });

const copy = <T>(value: T): T => structuredClone(value);

describe("difference of two states", () => {
  test("applied to the first state it gives the second, whatever the limits", () => {
    fc.assert(
      fc.property(state, state, limits, (before, after, bounds) => {
        expect(applyDifference(before, differenceOf(before, after, bounds))).toEqual(after);
      }),
      { numRuns: 3000 },
    );
  });

  test("any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        expect(applyDifference(before, differenceOf(before, after))).toEqual(after);
      }),
    );
  });

  test("lists of items with ids, however they were reordered, edited and cut", () => {
    const list = fc.uniqueArray(item, { selector: ({ id }) => id, maxLength: 6 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        expect(applyDifference({ messages: before }, differenceOf({ messages: before }, { messages: after }))).toEqual({
          messages: after,
        });
      }),
      { numRuns: 2000 },
    );
  });

  test("of a state and its copy it is empty", () => {
    fc.assert(
      fc.property(state, (value) => {
        expect(differenceOf(value, value)).toEqual([]);
        expect(differenceOf(value, copy(value))).toEqual([]);
      }),
    );
  });

  test("never has more changes than its limit, nor longer paths", () => {
    fc.assert(
      fc.property(state, state, fc.nat(5), fc.integer({ min: 1, max: 6 }), (before, after, depth, count) => {
        const changes = differenceOf(before, after, { depth, count });
        expect(changes.length).toBeLessThanOrEqual(count);
        for (const { path } of changes) expect(path.length).toBeLessThanOrEqual(depth);
      }),
    );
  });

  test("changes neither state, and shares what did not change", () => {
    fc.assert(
      fc.property(state, state, (before, after) => {
        const [b, a] = [JSON.stringify(before), JSON.stringify(after)];
        applyDifference(before, differenceOf(before, after));
        expect([JSON.stringify(before), JSON.stringify(after)]).toEqual([b, a]);
      }),
    );
    const before = { big: { list: [1, 2, 3] }, n: 1 };
    const applied = applyDifference(before, differenceOf(before, { big: { list: [1, 2, 3] }, n: 2 }));
    expect(applied).toHaveProperty("big", before.big);
    expect((applied as typeof before).big).toBe(before.big);
  });

  test.each<[string, unknown, unknown, StateChange[]]>([
    ["a new key", {}, { n: 1 }, [{ kind: "added", path: ["n"], after: 1 }]],
    ["a lost key", { n: 1 }, {}, [{ kind: "removed", path: ["n"], before: 1 }]],
    ["another value", { n: 1 }, { n: 2 }, [{ kind: "changed", path: ["n"], before: 1, after: 2 }]],
    [
      "a nested key",
      { user: { name: "Ada", age: 1 } },
      { user: { name: "Ada", age: 2 } },
      [{ kind: "changed", path: ["user", "age"], before: 1, after: 2 }],
    ],
    [
      "an appended message",
      { messages: [{ id: "a" }] },
      { messages: [{ id: "a" }, { id: "b" }] },
      [{ kind: "appended", path: ["messages"], index: 1, items: [{ id: "b" }] }],
    ],
    [
      "a message that changed while another was appended",
      { messages: [{ id: "a", content: "x" }] },
      { messages: [{ id: "a", content: "y" }, { id: "b" }] },
      [
        { kind: "changed", path: ["messages", 0, "content"], before: "x", after: "y" },
        { kind: "appended", path: ["messages"], index: 1, items: [{ id: "b" }] },
      ],
    ],
    [
      "messages removed here and there",
      { messages: [{ id: "a" }, { id: "b" }, { id: "c" }, { id: "d" }] },
      { messages: [{ id: "b" }, { id: "d" }] },
      [
        { kind: "replaced", path: ["messages"], index: 0, removed: [{ id: "a" }], added: [] },
        { kind: "replaced", path: ["messages"], index: 1, removed: [{ id: "c" }], added: [] },
      ],
    ],
    [
      "an item appended to plain values",
      { log: ["a", "b"] },
      { log: ["a", "b", "b"] },
      [{ kind: "appended", path: ["log"], index: 2, items: ["b"] }],
    ],
    [
      "an item put between plain values",
      { log: [1, 3] },
      { log: [1, 2, 3] },
      [{ kind: "replaced", path: ["log"], index: 1, removed: [], added: [2] }],
    ],
    [
      "a field of an item without an id",
      { todos: [{ done: false }, { done: false }] },
      { todos: [{ done: false }, { done: true }] },
      [{ kind: "changed", path: ["todos", 1, "done"], before: false, after: true }],
    ],
    ["another type", { n: [1] }, { n: { 0: 1 } }, [{ kind: "changed", path: ["n"], before: [1], after: { 0: 1 } }]],
  ])("tells %s", (_what, before, after, changes) => {
    expect(differenceOf(before, after)).toEqual(changes);
  });

  test("of a million items and megabytes of text only the places that changed are told", () => {
    const numbers = Array.from({ length: 200_000 }, (_none, index) => index);
    const text = "x".repeat(10_000_000);
    const before = { text, numbers, list: Array.from({ length: 150_000 }, () => 1) };
    const after = { text: `${text}y`, numbers: numbers.with(77, -1), list: [] };
    const changes = differenceOf(before, after);
    expect(changes.map(({ kind, path }) => [kind, ...path])).toEqual([
      ["changed", "text"],
      ["changed", "numbers", 77],
      ["replaced", "list"],
    ]);
    expect(JSON.stringify(changes.map(changeText)).length).toBeLessThan(600);
    const back = applyDifference(after, differenceOf(after, before));
    expect(JSON.stringify(back) === JSON.stringify(before)).toBe(true);
  });

  test("values nested deeper than any stack are told as changed, not walked", () => {
    const nest = (bottom: unknown) => {
      let value = bottom;
      for (let depth = 0; depth < 100_000; depth++) value = [value];
      return { value };
    };
    const [before, after] = [nest(1), nest(2)];
    const changes = differenceOf(before, after);
    expect(changes).toHaveLength(1);
    expect(applyDifference(before, changes)).toHaveProperty("value");
  });
});

describe("short texts", () => {
  test.each<[unknown, string]>([
    ["refund", '"refund"'],
    ["a\nb", '"a\\nb"'],
    ["x".repeat(5000), `"${"x".repeat(80)}…" (5,000 characters)`],
    [[], "[]"],
    [[1], "[1 item]"],
    [Array.from({ length: 12 }), "[12 items]"],
    [{}, "{}"],
    [{ a: 1, b: 2, c: 3 }, "{3 keys}"],
    [null, "null"],
    [12.5, "12.5"],
    [true, "true"],
  ])("of a value", (value, text) => {
    expect(shortText(value)).toBe(text);
  });

  test.each<[ChangePath, string]>([
    [[], "state"],
    [["messages", 4, "content"], "messages[4].content"],
    [["a key", "b"], '["a key"].b'],
    [["größe"], "größe"],
    [["__proto__"], "__proto__"],
    [["x".repeat(500)], `["${"x".repeat(40)}…" (500 characters)]`],
  ])("of a path", (path, text) => {
    expect(pathText(path)).toBe(text);
  });

  test("one appended item is told with its place, several with their number", () => {
    const path = ["messages"];
    expect(changeText({ kind: "appended", path, index: 4, items: ["hi"] })).toEqual({
      kind: "appended",
      path: "messages[4]",
      after: '"hi"',
    });
    expect(changeText({ kind: "appended", path, index: 4, items: [1, 2] })).toEqual({
      kind: "appended",
      path: "messages",
      after: "2 items",
    });
  });

  test("are bounded and on one line for any change of any state", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), fc.jsonValue(), (before, after) => {
        for (const change of differenceOf(before, after)) {
          const { path, before: old = "", after: fresh = "" } = changeText(change);
          expect(`${path}${old}${fresh}`).not.toMatch(/\n/);
          expect(old.length + fresh.length).toBeLessThan(1500);
          expect(path.length).toBeLessThan(4 * 300);
        }
      }),
      { numRuns: 40 },
    );
    expect(shortText(`${"x".repeat(79)}😀😀`)).toBe(`"${"x".repeat(79)}…" (83 characters)`);
  });

  test("prose stands without quotes, and of a long one the beginning", () => {
    expect(shortProse('Say "yes".', 160)).toBe('Say "yes".');
    expect(shortProse(`${"x".repeat(79)}😀😀`, 80)).toBe(`${"x".repeat(79)}…`);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 40 }), (text, longest) => {
        const short = shortProse(text, longest);
        expect(short.length).toBeLessThanOrEqual(longest + 1);
        expect(text.startsWith(short.replace(/…$/, ""))).toBe(true);
        expect(short.isWellFormed()).toBe(text.isWellFormed());
      }),
    );
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addStates, NO_LANES } from "../../../lib/rules/studio/checkpoint-lanes.ts";
import { compareBranches, forkOf, largeKeysOf, smallDifferenceOf } from "../../../lib/rules/studio/compare-states.ts";
import { applyDifference } from "../../../lib/rules/studio/state-difference.ts";

const values = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue(), { noNullPrototype: true });

describe("branches are compared", () => {
  test("so that the changes of all keys of a side turn the fork into it", () => {
    fc.assert(
      fc.property(values, values, values, (fork, one, other) => {
        const rows = compareBranches({ values: fork }, { values: one }, { values: other });
        for (const [place, side] of [one, other].entries()) {
          const all = rows.flatMap(({ sides }) => sides[place] ?? []);
          expect(applyDifference(fork, all)).toEqual(side);
        }
      }),
    );
  });

  test("key by key, and a key with the same changes is told once", () => {
    const rows = compareBranches(
      { values: { topic: "old", messages: [1], n: 1 } },
      { values: { topic: "new", messages: [1, 2], n: 1 } },
      { values: { topic: "new", messages: [1, 3], n: 1 } },
    );
    expect(rows).toEqual([
      { key: "topic", isSame: true, sides: [[expect.anything()], [expect.anything()]] },
      {
        key: "messages",
        isSame: false,
        sides: [
          [{ kind: "appended", path: ["messages"], index: 1, items: [2] }],
          [{ kind: "appended", path: ["messages"], index: 1, items: [3] }],
        ],
      },
    ]);
  });

  test("of states that are no objects, as a whole", () => {
    expect(compareBranches({ values: {} }, { values: 6 }, { values: 7 })).toMatchObject([
      { key: undefined, isSame: false, sides: [[{ after: 6 }], [{ after: 7 }]] },
    ]);
  });
});

test("a key that was left out of one state is told by its sizes, and not as removed", () => {
  const before = { values: { rows: [1], text: "a" } };
  const after = { values: { text: "b" }, omitted: { "values.rows": 5000 } };
  expect(smallDifferenceOf(before, after)).toEqual([{ kind: "changed", path: ["text"], before: "a", after: "b" }]);
  expect(largeKeysOf([before, after])).toEqual([{ key: "rows", sizes: [3, 5000] }]);
  expect(largeKeysOf([{ values: {} }, after])).toEqual([{ key: "rows", sizes: [undefined, 5000] }]);
});

describe("the fork of two checkpoints", () => {
  const state = (id: string, parent?: string) => ({
    checkpoint: { checkpoint_id: id },
    parent_checkpoint: parent === undefined ? null : { checkpoint_id: parent },
    next: [],
  });
  const lanes = addStates(NO_LANES, [
    state("1"),
    state("2", "1"),
    state("3", "2"),
    state("4", "2"),
    state("5", "4"),
    state("x"),
  ]);

  test.each([
    ["3", "5", "2"],
    ["5", "3", "2"],
    ["2", "5", "2"],
    ["5", "5", "5"],
    ["5", "x", undefined],
    ["5", "not read", undefined],
  ])("%s and %s is %s", (one, other, fork) => {
    expect(forkOf(lanes, one, other)).toBe(fork);
  });
});

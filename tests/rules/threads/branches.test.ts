import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forksTo, type HistoryEntry, placeOf } from "../../../lib/rules/threads/branches.ts";
import { turnsOf } from "../../../lib/rules/threads/transcript.ts";

const idOf = (number: number): string => `c${String(number).padStart(4, "0")}`;

/** A thread whose checkpoints each continue any earlier one. */
const history = fc
  .array(fc.nat(), { minLength: 1, maxLength: 40 })
  .map((picks): HistoryEntry[] =>
    picks.map((pick, index) => (index === 0 ? { id: idOf(0) } : { id: idOf(index), parent: idOf(pick % index) })),
  );
const choice = fc.nat();
const pick = <T>(list: readonly T[], number: number): T => {
  const found = list[number % list.length];
  if (found === undefined) throw new Error("the list is empty");
  return found;
};

/** The ids from a checkpoint to the first one. */
function pathOf(entries: readonly HistoryEntry[], id: string): string[] {
  const parents = new Map(entries.map((one) => [one.id, one.parent]));
  const path: string[] = [];
  for (let at: string | undefined = id; at !== undefined; at = parents.get(at)) path.push(at);
  return path;
}

describe("the forks on the way to a checkpoint", () => {
  test("are the checkpoints of the way that have several successors", () => {
    fc.assert(
      fc.property(history, choice, (entries, number) => {
        const shown = pick(entries, number).id;
        const before = pathOf(entries, shown).slice(1).toReversed();
        const forked = before.filter((id) => entries.filter((one) => one.parent === id).length > 1);
        expect(forksTo(shown, entries).map((fork) => fork.at)).toEqual(forked);
      }),
    );
  });

  test("another branch has the same fork, with itself as the current one", () => {
    fc.assert(
      fc.property(history, choice, choice, choice, (entries, number, at, other) => {
        const shown = pick(entries, number).id;
        const forks = forksTo(shown, entries);
        fc.pre(forks.length > 0);
        const fork = pick(forks, at);
        const leaf = pick(fork.leaves, other);
        const same = forksTo(leaf, entries).find((one) => one.at === fork.at);
        expect(same).toEqual({ ...fork, current: fork.leaves.indexOf(leaf) });
      }),
    );
  });

  test("each branch is told by its newest end, below the fork", () => {
    fc.assert(
      fc.property(history, choice, (entries, number) => {
        const shown = pick(entries, number).id;
        const isLeaf = (id: string): boolean => entries.every((one) => one.parent !== id);
        for (const { at, leaves, current } of forksTo(shown, entries)) {
          const ways = leaves.map((leaf) => pathOf(entries, leaf));
          for (const [index, leaf] of leaves.entries()) {
            const first = ways[index]?.[(ways[index]?.indexOf(at ?? "") ?? 0) - 1] ?? "";
            const below = entries.filter((one) => isLeaf(one.id) && pathOf(entries, one.id).includes(first));
            expect(leaf).toBe(
              below
                .map((one) => one.id)
                .toSorted()
                .at(-1),
            );
          }
          const shared = pathOf(entries, shown);
          const first = shared[shared.indexOf(at ?? "") - 1] ?? "";
          expect(ways[current]).toContain(first);
        }
      }),
    );
  });

  test("do not depend on the order of the entries, nor on unknown beginnings", () => {
    fc.assert(
      fc.property(history, choice, choice, (entries, number, cut) => {
        const newest = entries.slice(cut % entries.length);
        const shown = pick(newest, number).id;
        expect(forksTo(shown, newest.toReversed())).toEqual(forksTo(shown, newest));
        const all = forksTo(shown, entries);
        for (const fork of forksTo(shown, newest)) {
          const whole = all.find((one) => one.at === fork.at);
          expect(whole?.leaves).toEqual(expect.arrayContaining([...fork.leaves]));
        }
      }),
    );
  });

  test("are the same wherever the inputs of runs are checkpoints of their own", () => {
    fc.assert(
      fc.property(
        history,
        fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
        choice,
        (entries, inputs, number) => {
          const shown = pick(entries, number).id;
          const withInputs = entries.flatMap(({ id, parent }, index): HistoryEntry[] => {
            if (!inputs[index] || parent === undefined) return [{ id, ...(parent !== undefined && { parent }) }];
            return [
              { id: `${id} input`, parent, isInput: true },
              { id, parent: `${id} input` },
            ];
          });
          expect(forksTo(shown, withInputs)).toEqual(forksTo(shown, entries));
        },
      ),
    );
  });

  test("a fork at an input is one at the state before it, and the first question forks at the beginning", () => {
    const asked = [
      { id: "1", isInput: true },
      { id: "2", parent: "1" },
      { id: "3", parent: "1", isInput: true },
      { id: "4", parent: "3" },
      { id: "5", parent: "4", isInput: true },
      { id: "6", parent: "5" },
      { id: "7", parent: "5", isInput: true },
      { id: "8", parent: "7" },
      { id: "9", parent: "4" },
    ];
    expect(forksTo("9", asked)).toEqual([
      { leaves: ["2", "9"], current: 1 },
      { at: "4", leaves: ["6", "8", "9"], current: 2 },
    ]);
    // A run that has begun, and has finished no step yet, is a branch as well.
    expect(forksTo("10", [...asked, { id: "10", parent: "4", isInput: true }]).at(-1)).toEqual({
      at: "4",
      leaves: ["6", "8", "9", "10"].toSorted(),
      current: ["6", "8", "9", "10"].toSorted().indexOf("10"),
    });
  });

  test("any history ends, also one whose parents go in a circle", () => {
    const entry = fc.record({
      id: fc.constantFrom("a", "b", "c"),
      parent: fc.constantFrom("a", "b", "c", "x"),
      isInput: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        expect(forksTo("a", entries).length).toBeLessThanOrEqual(3);
      }),
    );
  });

  test("a question that was asked three times is the branches 1 to 3 of one fork", () => {
    const entries = [
      { id: "1" },
      { id: "2", parent: "1" },
      { id: "3", parent: "2" },
      { id: "4", parent: "1" },
      { id: "5", parent: "1" },
      { id: "6", parent: "5" },
    ];
    expect(forksTo("4", entries)).toEqual([{ at: "1", leaves: ["3", "4", "6"], current: 1 }]);
  });
});

describe("the place of a fork in a conversation", () => {
  const turns = turnsOf([
    { type: "human", id: "q1", content: "One?" },
    { type: "ai", id: "a1", content: "One." },
    { type: "human", id: "q2", content: "Two?" },
    { type: "ai", id: "a2", content: "Two." },
  ]);
  const place = (...ids: string[]) => placeOf(turns, new Set(ids));

  test("is the first message that the branches do not share", () => {
    expect(place()).toEqual({ turn: "q1", within: "question" });
    expect(place("q1")).toEqual({ turn: "q1", within: "answer" });
    expect(place("q1", "a1")).toEqual({ turn: "q2", within: "question" });
    expect(place("q1", "a1", "q2")).toEqual({ turn: "q2", within: "answer" });
  });

  test("is the end where the branches have the same messages, and nowhere in an empty conversation", () => {
    expect(place("q1", "a1", "q2", "a2")).toEqual({ turn: "q2", within: "answer" });
    expect(placeOf([], new Set())).toBeUndefined();
  });
});

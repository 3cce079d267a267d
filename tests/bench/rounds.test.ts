import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareRounds, rotate } from "./rounds.ts";

const items = fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 8 });
const figures = fc.array(fc.double({ min: 0.1, max: 1_000, noNaN: true }), { minLength: 1, maxLength: 9 });

describe("the order of a round", () => {
  it("holds every item once", () => {
    fc.assert(
      fc.property(items, fc.nat(100), (list, round) => {
        expect(rotate(list, round).toSorted()).toEqual(list.toSorted());
      }),
    );
  });

  it("gives every item every place once in as many rounds as there are items", () => {
    fc.assert(
      fc.property(items, fc.nat(100), (list, from) => {
        const rounds = list.map((_, n) => rotate(list, from + n));
        for (const place of list.keys())
          expect(rounds.map((order) => order[place]).toSorted()).toEqual(list.toSorted());
      }),
    );
  });

  it("of no items is empty", () => {
    expect(rotate([], 3)).toEqual([]);
  });
});

describe("figures compared round by round", () => {
  const ratio = (ours: number, other: number): number => ours / other;

  it("do not change when the machine slows down over the rounds", () => {
    const slower = [1, 2, 4];
    const [ours, others] = [slower.map((factor) => 3 * factor), slower.map((factor) => 2 * factor)];
    expect(compareRounds(ours, others, ratio)).toEqual({ median: 1.5, least: 1.5, most: 1.5 });
  });

  it("have their median between the smallest and the largest value", () => {
    fc.assert(
      fc.property(figures, (ours) => {
        const { median, least, most } = compareRounds(ours, ours.toReversed(), ratio);
        expect(least).toBeLessThanOrEqual(median);
        expect(median).toBeLessThanOrEqual(most);
      }),
    );
  });

  it("are refused if one side misses a round", () => {
    expect(() => compareRounds([1, 2], [1], ratio)).toThrow("2 and 1 rounds");
  });
});

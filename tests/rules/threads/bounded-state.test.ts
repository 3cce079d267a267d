import fc from "fast-check";
import { expect, test } from "vitest";
import { boundedState } from "../../../lib/rules/threads/bounded-state.ts";

const size = (value: unknown): number => JSON.stringify(value)?.length ?? 0;
const values = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });

test("the values that stay are those of the state, and have no more characters than the limit", () => {
  fc.assert(
    fc.property(values, fc.nat(200), (whole, limit) => {
      const shown = boundedState({ values: whole }, limit);
      const kept = Object.entries(shown.values);
      for (const [key, value] of kept) expect(value).toBe(whole[key]);
      expect(kept.reduce((sum, [, value]) => sum + size(value), 0)).toBeLessThanOrEqual(limit);
    }),
  );
});

test("every key of the values stays, or its size is told by its path", () => {
  fc.assert(
    fc.property(values, fc.nat(200), (whole, limit) => {
      const { values: kept, omitted = {} } = boundedState<{ values: object; omitted?: Record<string, number> }>(
        { values: whole },
        limit,
      );
      const told = Object.entries(whole)
        .filter(([key]) => !Object.hasOwn(kept, key))
        .map(([key, value]) => [`values.${key}`, size(value)]);
      expect(new Map(Object.entries(omitted))).toEqual(new Map(told as [string, number][]));
    }),
  );
});

test("the largest keys are left out first", () => {
  const whole = { text: "x".repeat(50), rows: [1, 2, 3], topic: "short" };
  expect(boundedState({ values: whole }, 20)).toEqual({
    values: { rows: [1, 2, 3], topic: "short" },
    omitted: { "values.text": 52 },
  });
});

test("values that are no object are left out as a whole", () => {
  expect(boundedState({ values: [1, 2, 3] }, 3)).toEqual({ values: null, omitted: { values: 7 } });
  expect(boundedState({ values: 6 }, 3)).toEqual({ values: 6 });
});

test("results of tasks are bounded each by itself", () => {
  const tasks = [
    { id: "a", result: { text: "x".repeat(50), n: 1 } },
    { id: "b", result: { n: 2 } },
    { id: "c", result: null },
  ];
  expect(boundedState({ tasks }, 10)).toEqual({
    tasks: [{ id: "a", result: { n: 1 }, omitted: { "result.text": 52 } }, tasks[1], tasks[2]],
  });
});

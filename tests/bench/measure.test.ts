import fc from "fast-check";
import { expect, it } from "vitest";
import { median } from "./measure.ts";

const figures = fc.array(fc.integer(), { minLength: 1, maxLength: 20 });

it("at most half of the values lie below the median, and at most half above it", () => {
  fc.assert(
    fc.property(figures, (values) => {
      const middle = median(values);
      const [below, above] = [values.filter((value) => value < middle), values.filter((value) => value > middle)];
      expect(Math.max(below.length, above.length)).toBeLessThanOrEqual(values.length / 2);
    }),
  );
});

it("the median of an even number of values lies between the two in the middle", () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([7])).toBe(7);
  expect(median([])).toBeNaN();
});

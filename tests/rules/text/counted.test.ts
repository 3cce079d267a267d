import fc from "fast-check";
import { expect, test } from "vitest";
import { counted, grouped } from "../../../lib/rules/text/counted.ts";

test("groups the digits of every whole number as English does", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      expect(grouped(count)).toBe(count.toLocaleString("en"));
    }),
  );
});

test("counts one without a plural, and all others with it", () => {
  expect([0, 1, 2, 1284].map((count) => counted(count, "run"))).toEqual(["0 runs", "1 run", "2 runs", "1,284 runs"]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { isDeeperThan } from "../../lib/protocol/json.ts";

function depth(value: unknown): number {
  return typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
}

test("a value is deeper than every limit below its depth, and than no other", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(8), (value, limit) => {
      expect(isDeeperThan(value, limit)).toBe(depth(value) > limit);
    }),
  );
});

test("a nesting of 100,000 levels is measured without exhausting the stack", () => {
  let value: unknown = 1;
  for (let level = 0; level < 100_000; level++) value = [value];
  expect(isDeeperThan(value, 64)).toBe(true);
});

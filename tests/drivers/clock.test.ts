import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createClock } from "../../lib/drivers/clock.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a clock is between the times to which it was last corrected, and goes on from there", () => {
  const span = fc.record({ from: fc.nat(), took: fc.nat(10_000) });
  fc.assert(
    fc.property(fc.array(span, { minLength: 1 }), fc.nat(10_000), (spans, later) => {
      vi.setSystemTime(1_000_000);
      const clock = createClock();
      for (const { from, took } of spans) {
        clock.correct(from, from + took);
        expect(clock.now()).toBeGreaterThanOrEqual(from);
        expect(clock.now()).toBeLessThanOrEqual(from + took);
      }
      const before = clock.now();
      vi.setSystemTime(1_000_000 + later);
      expect(clock.now()).toBe(before + later);
    }),
  );
});

test("a clock that may be right is left as it is", () => {
  const clock = createClock();
  clock.correct(999_000, 1_060_000);
  expect(clock.now()).toBe(1_000_000);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { decideRestart } from "../../../lib/rules/workers/backoff.ts";

const crashes = fc.array(fc.nat(600_000)).map((times) => times.toSorted((a, b) => a - b));

test("a delay lies between 0.1 s and a minute", () => {
  fc.assert(
    fc.property(crashes, fc.nat(600_000), (times, later) => {
      const { delayMs, attempt } = decideRestart(times, (times.at(-1) ?? 0) + later);
      expect(delayMs).toBeGreaterThanOrEqual(100);
      expect(delayMs).toBeLessThanOrEqual(60_000);
      expect(attempt).toBeGreaterThanOrEqual(1);
    }),
  );
});

test("one more crash never shortens the delay", () => {
  fc.assert(
    fc.property(crashes, (times) => {
      const now = times.at(-1) ?? 0;
      expect(decideRestart([...times, now], now).delayMs).toBeGreaterThanOrEqual(decideRestart(times, now).delayMs);
    }),
  );
});

test("the sixth crash within five minutes gives up, and one five minutes later starts anew", () => {
  const row = [0, 1, 2, 3, 4, 5].map((n) => n * 1000);
  expect(decideRestart(row.slice(0, 5), 4_000).gaveUp).toBe(false);
  expect(decideRestart(row, 5_000).gaveUp).toBe(true);
  expect(decideRestart([...row, 400_000], 400_000)).toEqual({ delayMs: 100, attempt: 1, gaveUp: false });
});

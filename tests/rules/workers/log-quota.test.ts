import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLogQuota, type LogLimits } from "../../../lib/rules/workers/log-quota.ts";

const limits = fc.record({
  lines: fc.integer({ min: 1, max: 50 }),
  linesPerSecond: fc.integer({ min: 1, max: 50 }),
  chars: fc.integer({ min: 1, max: 500 }),
  charsPerSecond: fc.integer({ min: 1, max: 500 }),
});
/** The time since the line before, in ms, and the length. */
const lines = fc.array(fc.tuple(fc.integer({ min: -10, max: 3_000 }), fc.nat(100)), { maxLength: 200 });

function admitAll(bounds: LogLimits, printed: readonly (readonly [number, number])[]) {
  const quota = createLogQuota(bounds);
  let at = 0;
  let gaps = 0;
  const kept: { at: number; chars: number }[] = [];
  for (const [pause, chars] of printed) {
    at += pause;
    const before = quota.admit(chars, at);
    if (before === undefined) continue;
    gaps += before;
    kept.push({ at, chars });
  }
  return { kept, gaps, rest: quota.settle(at + 1_000_000) };
}

describe("the quota of a log", () => {
  test("admits or counts every line", () => {
    fc.assert(
      fc.property(limits, lines, (bounds, printed) => {
        const { kept, gaps, rest } = admitAll(bounds, printed);
        expect(kept.length + gaps + (rest ?? Number.NaN)).toBe(printed.length);
      }),
    );
  });

  test("admits no more in any span than its burst and its rate, except for one long line", () => {
    fc.assert(
      fc.property(limits, lines, (bounds, printed) => {
        const { kept } = admitAll(bounds, printed);
        for (let first = 0; first < kept.length; first++) {
          let chars = 0;
          let newest = -Infinity;
          for (let last = first; last < kept.length; last++) {
            newest = Math.max(newest, kept[last]?.at ?? 0);
            chars += kept[last]?.chars ?? 0;
            // A clock that goes back and forth earns credit once, so the whole span is an upper bound.
            const seconds = (newest - Math.min(...kept.slice(0, first + 1).map(({ at }) => at), newest)) / 1000;
            expect(last - first + 1).toBeLessThanOrEqual(bounds.lines + seconds * bounds.linesPerSecond + 1e-6);
            expect(chars).toBeLessThanOrEqual(bounds.chars + seconds * bounds.charsPerSecond + 100 + 1e-6);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test("admits everything within its rate", () => {
    const even = fc.array(fc.nat(10).map((chars): [number, number] => [20, chars]));
    fc.assert(
      fc.property(even, (printed) => {
        const bounds = { lines: 1, linesPerSecond: 50, chars: 1000, charsPerSecond: 1000 };
        expect(admitAll(bounds, printed)).toMatchObject({ gaps: 0, rest: 0 });
      }),
    );
  });

  test("admits a flood in blocks with one gap a second", () => {
    const flood = Array.from({ length: 100_000 }, (): [number, number] => [0.1, 10]);
    const quota = createLogQuota();
    let at = 0;
    const gaps = flood.flatMap(([pause, chars]) => {
      const before = quota.admit(chars, (at += pause));
      return before === undefined || before === 0 ? [] : [before];
    });
    expect(gaps.length).toBeGreaterThan(5);
    expect(gaps.length).toBeLessThan(12);
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { buildSteps } from "../../../lib/protocol/build-steps.ts";
import type { StepTimes } from "../../../lib/protocol/revisions.ts";
import { isBuilt, stepTimes, typicalTimes } from "../../../lib/rules/revisions/typical-times.ts";

const at = (ms: number): string => new Date(Date.UTC(2026, 0, 1) + ms).toISOString();

/** Consecutive steps, from the first or from `starting` on. */
const revision = fc
  .record({
    built: fc.boolean(),
    times: fc.array(fc.nat(60_000), { minLength: 6, maxLength: 6 }),
    live: fc.boolean(),
  })
  .map(({ built, times, live }) => {
    let now = 0;
    const steps = buildSteps.flatMap((step, place): StepTimes[] => {
      if (!built && place < 4) return [];
      const started_at = at(now);
      now += times[place] ?? 0;
      return [{ step, started_at, ended_at: at(now) }];
    });
    return { live_at: live ? at(now) : null, steps };
  });

test("a typical time lies between the shortest and the longest of the revisions of the same kind that went live", () => {
  fc.assert(
    fc.property(fc.array(revision, { maxLength: 12 }), fc.boolean(), (revisions, builds) => {
      const alike = revisions.filter((one) => one.live_at !== null && isBuilt(one) === builds);
      const typical = typicalTimes(revisions, builds);
      expect(typical === undefined).toBe(alike.length === 0);
      if (!typical) return;
      const totals = alike.map((one) => [...stepTimes(one).values()].reduce((all, time) => all + time, 0));
      expect(typical.total).toBeGreaterThanOrEqual(Math.min(...totals));
      expect(typical.total).toBeLessThanOrEqual(Math.max(...totals));
      for (const [step, time] of Object.entries(typical.steps)) {
        const times = alike.map((one) => Object.fromEntries(stepTimes(one))[step] ?? 0);
        expect(time).toBeGreaterThanOrEqual(Math.min(...times));
        expect(time).toBeLessThanOrEqual(Math.max(...times));
      }
    }),
  );
});

test("the order of revisions does not matter", () => {
  fc.assert(
    fc.property(fc.array(revision, { maxLength: 8 }), (revisions) => {
      expect(typicalTimes(revisions.toReversed(), true)).toEqual(typicalTimes(revisions, true));
    }),
  );
});

test("a step without an end is left out, and one that ended before its start took 0 ms", () => {
  const steps: StepTimes[] = [
    { step: "cloning", started_at: at(10), ended_at: at(5) },
    { step: "validating", started_at: at(10), ended_at: null },
  ];
  expect([...stepTimes({ steps })]).toEqual([["cloning", 0]]);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RevisionState } from "../../../lib/protocol/revisions.ts";
import { revisionOutcomes } from "../../../lib/rules/revisions/outcomes.ts";
import { isUnderway } from "../../../lib/rules/revisions/phases.ts";

const state = fc.constantFrom(...RevisionState.options);
const newest = fc.option(fc.record({ number: fc.integer({ min: 1, max: 4 }), state }));
const report = fc.uniqueArray(fc.record({ name: fc.constantFrom("a", "b", "c"), newest }), {
  selector: (one) => one.name,
});
const one = (number: number, of: RevisionState) => [{ name: "bot", newest: { number, state: of } }];

describe("the outcomes of builds", () => {
  test("are none where nothing has changed", () => {
    fc.assert(
      fc.property(report, (same) => {
        expect(revisionOutcomes(same, same)).toEqual([]);
      }),
    );
  });

  test("are reported once: the next report has none of them", () => {
    fc.assert(
      fc.property(report, report, (before, after) => {
        const told = revisionOutcomes(before, after);
        expect(new Set(told.map((it) => it.deployment)).size).toBe(told.length);
        expect(revisionOutcomes(after, after)).toEqual([]);
        for (const { deployment, number } of told) {
          const now = after.find((it) => it.name === deployment)?.newest;
          expect(now?.number).toBe(number);
          expect(now && isUnderway(now.state)).toBe(false);
        }
      }),
    );
  });

  test("are live or failed for a build that was under way, also one that began in between", () => {
    const live = { deployment: "bot", number: 2, outcome: "live" };
    expect(revisionOutcomes(one(2, "building"), one(2, "live"))).toEqual([live]);
    expect(revisionOutcomes(one(1, "live"), one(2, "live"))).toEqual([live]);
    expect(revisionOutcomes(one(2, "queued"), one(2, "install_failed"))).toEqual([{ ...live, outcome: "failed" }]);
  });

  test("say nothing of what somebody stopped, of a restart, or of a deployment that was not there before", () => {
    expect(revisionOutcomes(one(2, "building"), one(2, "cancelled"))).toEqual([]);
    expect(revisionOutcomes(one(2, "crashed"), one(2, "live"))).toEqual([]);
    expect(revisionOutcomes(one(2, "live"), one(2, "crashed"))).toEqual([]);
    expect(revisionOutcomes(one(2, "live"), one(1, "live"))).toEqual([]);
    expect(revisionOutcomes([], one(1, "live"))).toEqual([]);
  });
});

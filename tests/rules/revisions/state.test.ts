import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildSteps } from "../../../lib/protocol/build-steps.ts";
import { RevisionState } from "../../../lib/protocol/revisions.ts";
import {
  heldStates,
  isBuilding,
  isOver,
  nextRevisionState,
  type RevisionEvent,
  revisionEvents,
} from "../../../lib/rules/revisions/state.ts";

const state = fc.constantFrom(...RevisionState.options);
const event = fc.constantFrom(...revisionEvents);

function walk(from: RevisionState, events: readonly RevisionEvent[]): RevisionState[] {
  const states = [from];
  for (const one of events) states.push(nextRevisionState(states.at(-1) ?? from, one) ?? states.at(-1) ?? from);
  return states;
}

describe("a revision", () => {
  it("has an answer for every event in every state", () => {
    const table = Object.fromEntries(
      RevisionState.options.map((one) => [
        one,
        Object.fromEntries(
          revisionEvents.flatMap((what) => {
            const next = nextRevisionState(one, what);
            return next === undefined ? [] : [[what, next]];
          }),
        ),
      ]),
    );
    const step = (advance: RevisionState, fail: RevisionState) => ({
      advance,
      fail,
      cancel: "cancelled",
      requeue: "queued",
    });
    expect(table).toEqual({
      queued: { claim: "cloning", claim_built: "starting", cancel: "cancelled", skip: "skipped" },
      cloning: step("validating", "source_failed"),
      validating: { ...step("installing", "config_failed"), no_code: "building" },
      installing: step("building", "install_failed"),
      building: step("starting", "build_failed"),
      starting: step("checking", "start_failed"),
      checking: step("live", "health_failed"),
      live: { crash: "crashed", replace: "replaced", stop: "stopped" },
      crashed: { crash: "crashed", recover: "live", give_up: "failed", replace: "replaced", stop: "stopped" },
      stopped: { start: "live", replace: "replaced" },
      failed: { recover: "live", replace: "replaced", stop: "stopped" },
      replaced: {},
      source_failed: {},
      config_failed: {},
      install_failed: {},
      build_failed: {},
      start_failed: {},
      health_failed: {},
      cancelled: {},
      skipped: {},
    });
  });

  it("is live only after its last step, or when it comes back", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const states = walk("queued", events);
        const first = states.indexOf("live");
        if (first > 0) expect(states[first - 1]).toBe("checking");
      }),
    );
  });

  it("that is over stays as it is", () => {
    fc.assert(
      fc.property(state, fc.array(event, { maxLength: 10 }), (from, events) => {
        fc.pre(isOver(from));
        expect(new Set(walk(from, events))).toEqual(new Set([from]));
      }),
    );
  });

  it("is either waiting, building, held, or over", () => {
    for (const one of RevisionState.options) {
      const kinds = [one === "queued", isBuilding(one), heldStates.some((held) => held === one), isOver(one)];
      expect(kinds.filter(Boolean), one).toHaveLength(1);
    }
  });

  it("can be cancelled and can fail at every step, and a platform that stopped takes it up again", () => {
    for (const step of buildSteps) {
      expect(nextRevisionState(step, "cancel")).toBe("cancelled");
      expect(nextRevisionState(step, "fail")).toMatch(/_failed$/);
      expect(nextRevisionState(step, "requeue")).toBe("queued");
    }
  });
});

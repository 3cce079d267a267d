import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildSteps } from "../../../lib/protocol/build-steps.ts";
import { RevisionState } from "../../../lib/protocol/revisions.ts";
import { isBuilding, isUnderway } from "../../../lib/rules/revisions/phases.ts";
import {
  heldStates,
  isOver,
  nextRevisionState,
  type RevisionEvent,
  revisionEvents,
  revisionTransitions,
} from "../../../lib/rules/revisions/state.ts";

const state = fc.constantFrom(...RevisionState.options);
const event = fc.constantFrom(...revisionEvents);

function walk(from: RevisionState, events: readonly RevisionEvent[]): RevisionState[] {
  const states = [from];
  for (const one of events) states.push(nextRevisionState(states.at(-1) ?? from, one) ?? states.at(-1) ?? from);
  return states;
}

/** The states in which an event changes something, each with the state that follows. */
function where(what: RevisionEvent): [RevisionState, RevisionState][] {
  return RevisionState.options.flatMap((from) => {
    const to = nextRevisionState(from, what);
    return to === null ? [] : [[from, to] as [RevisionState, RevisionState]];
  });
}

/** All states that any events lead to, with the first one. */
function reached(from: RevisionState): RevisionState[] {
  const found = new Set([from]);
  for (const one of found) for (const what of revisionEvents) found.add(nextRevisionState(one, what) ?? one);
  return [...found];
}

describe("a revision", () => {
  it("has an entry for every event in every state, and no other", () => {
    for (const from of RevisionState.options) {
      expect(Object.keys(revisionTransitions[from]).toSorted(), from).toEqual([...revisionEvents].toSorted());
      for (const what of revisionEvents) {
        const next = nextRevisionState(from, what);
        expect(next === null || RevisionState.options.includes(next), `${from} ${what}`).toBe(true);
      }
    }
    expect(Object.keys(revisionTransitions).toSorted()).toEqual(RevisionState.options.toSorted());
  });

  it("goes through the steps in their order, and skips installing without packages", () => {
    const [first] = buildSteps;
    expect(nextRevisionState("queued", "claim")).toBe(first);
    for (const [place, step] of buildSteps.entries()) {
      expect(nextRevisionState(step, "advance")).toBe(buildSteps[place + 1] ?? "live");
    }
    expect(nextRevisionState("queued", "claim_built")).toBe("starting");
    expect(where("no_code")).toEqual([["validating", "building"]]);
  });

  it("has events of its build only while it is queued or built, and events of its service only after it was live", () => {
    const served = new Set(["crash", "recover", "give_up", "fail_to_start", "replace", "stop", "start"]);
    for (const what of revisionEvents) {
      for (const [from] of where(what)) expect(served.has(what), `${from} ${what}`).toBe(!isUnderway(from));
    }
  });

  it("has a failed state for each step, which only a failure of that step leads to", () => {
    const failures = where("fail").map(([, to]) => to);
    expect(where("fail").map(([from]) => from)).toEqual([...buildSteps]);
    expect(new Set(failures).size).toBe(buildSteps.length);
    for (const failed of failures) expect(isOver(failed)).toBe(true);
  });

  it("reaches every state from the first, and a final state from every state", () => {
    const ends = (from: RevisionState): boolean => reached(from).some(isOver);
    expect(reached("queued").toSorted()).toEqual(RevisionState.options.toSorted());
    expect(RevisionState.options.filter((one) => !ends(one))).toEqual([]);
  });

  it("that serves, or would, can be replaced, stopped and fail to start", () => {
    expect(heldStates.toSorted()).toEqual(["crashed", "failed", "live", "stopped"]);
    for (const what of ["replace", "fail_to_start"] as const) {
      const to = what === "replace" ? "replaced" : "failed";
      expect(where(what).toSorted()).toEqual(heldStates.map((from) => [from, to]).toSorted());
    }
    expect(where("stop").map(([from]) => from)).toEqual(heldStates.filter((from) => from !== "stopped"));
    expect(where("start")).toEqual([["stopped", "live"]]);
    expect(where("recover").toSorted()).toEqual([
      ["crashed", "live"],
      ["failed", "live"],
    ]);
    expect(where("crash").toSorted()).toEqual([
      ["crashed", "crashed"],
      ["live", "crashed"],
    ]);
    expect(where("give_up")).toEqual([["crashed", "failed"]]);
  });

  it("becomes live only after its last step", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const states = walk("queued", events);
        const first = states.indexOf("live");
        if (first > 0) expect(states[first - 1]).toBe("checking");
      }),
    );
  });

  it("that is over keeps its state", () => {
    fc.assert(
      fc.property(state, fc.array(event, { maxLength: 10 }), (from, events) => {
        fc.pre(isOver(from));
        expect(new Set(walk(from, events))).toEqual(new Set([from]));
      }),
    );
  });

  it("is either queued, building, held, or over", () => {
    for (const one of RevisionState.options) {
      const kinds = [one === "queued", isBuilding(one), heldStates.some((held) => held === one), isOver(one)];
      expect(kinds.filter(Boolean), one).toHaveLength(1);
    }
  });

  it("can be cancelled and can fail at every step, and is queued again after a restart", () => {
    expect(where("requeue")).toHaveLength(buildSteps.length);
    expect(where("cancel").map(([from]) => from)).toEqual(["queued", ...buildSteps]);
    expect(where("skip")).toEqual([["queued", "skipped"]]);
    for (const step of buildSteps) {
      expect(nextRevisionState(step, "cancel")).toBe("cancelled");
      expect(nextRevisionState(step, "fail")).toMatch(/_failed$/);
      expect(nextRevisionState(step, "requeue")).toBe("queued");
    }
  });
});

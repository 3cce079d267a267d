import fc from "fast-check";
import { expect, test } from "vitest";
import { RunStatus } from "../../../lib/protocol/runs.ts";
import { hasEnded, mayTryAgain, type RunStep, runSteps, runTransitions } from "../../../lib/rules/runs/state.ts";

const steps = runSteps;

function replay(from: RunStatus, path: readonly RunStep[]): RunStatus {
  return path.reduce<RunStatus>((state, step) => {
    return runTransitions[state][step] ?? state;
  }, from);
}

test("the table has every step in every state", () => {
  for (const state of RunStatus.options) {
    expect(Object.keys(runTransitions[state]).toSorted()).toEqual(steps.toSorted());
    for (const step of steps) expect([...RunStatus.options, null]).toContain(runTransitions[state][step]);
  }
});

test("an ended run stays as it ended", () => {
  const ended = RunStatus.options.filter(hasEnded);
  fc.assert(
    fc.property(fc.constantFrom(...ended), fc.array(fc.constantFrom(...steps)), (state, path) => {
      expect(replay(state, path)).toBe(state);
    }),
  );
});

test("replaying a prefix and then the rest is replaying all", () => {
  const path = fc.array(fc.constantFrom(...steps));
  fc.assert(
    fc.property(path, path, (prefix, rest) => {
      expect(replay(replay("pending", prefix), rest)).toBe(replay("pending", [...prefix, ...rest]));
    }),
  );
});

test("a run ends as its last event states, succeeds only after a claim, and waits again only from running", () => {
  const ends = { succeed: "success", fail: "error", interrupt: "interrupted", time_out: "timeout" } as const;
  for (const state of RunStatus.options) {
    for (const [event, ended] of Object.entries(ends) as [keyof typeof ends, RunStatus][]) {
      const refuses = hasEnded(state) || (state === "pending" && event === "succeed");
      expect(runTransitions[state][event], `${state} ${event}`).toBe(refuses ? null : ended);
    }
    expect(runTransitions[state].claim).toBe(state === "pending" ? "running" : null);
    expect(runTransitions[state].requeue).toBe(state === "running" ? "pending" : null);
  }
  expect(RunStatus.options.filter((state) => !hasEnded(state))).toEqual(["pending", "running"]);
});

test("a run on a thread is executed again after two crashes, and after any number of stops; one without a thread never is", () => {
  const afterCrashes = (threaded: boolean) =>
    [0, 1, 2, 3].map((crashes) => mayTryAgain({ threaded, crashes }, "crashed"));
  expect(afterCrashes(true)).toEqual([true, true, false, false]);
  expect(afterCrashes(false)).toEqual([false, false, false, false]);
  fc.assert(
    fc.property(fc.boolean(), fc.nat(9), (threaded, crashes) => {
      expect(mayTryAgain({ threaded, crashes }, "stopped")).toBe(threaded);
    }),
  );
});

test("nothing runs without a claim", () => {
  const path = fc.array(fc.constantFrom(...steps.filter((step) => step !== "claim")));
  fc.assert(
    fc.property(path, (unclaimed) => {
      expect(replay("pending", unclaimed)).not.toBe("running");
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { RunStatus } from "../../../lib/protocol/runs.ts";
import { hasEnded, type RunStep, runTransitions } from "../../../lib/rules/runs/state.ts";

const steps: RunStep[] = ["claim", "succeed", "fail", "interrupt", "time_out"];

function replay(from: RunStatus, path: readonly RunStep[]): RunStatus {
  return path.reduce<RunStatus>((state, step) => {
    const next = runTransitions[state][step];
    return next === "refuse" ? state : next;
  }, from);
}

test("every state answers every step", () => {
  for (const state of RunStatus.options) {
    for (const step of steps) expect([...RunStatus.options, "refuse"]).toContain(runTransitions[state][step]);
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

test("nothing runs without a claim", () => {
  const path = fc.array(fc.constantFrom(...steps.filter((step) => step !== "claim")));
  fc.assert(
    fc.property(path, (unclaimed) => {
      expect(replay("pending", unclaimed)).not.toBe("running");
    }),
  );
});

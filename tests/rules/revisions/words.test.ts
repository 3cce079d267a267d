import { expect, test } from "vitest";
import { problemTitle, stateWord } from "../../../lib/rules/revisions/words.ts";

test("code that does not compile has the same title in every step", () => {
  expect(problemTitle({ step: "building" })).toBe("Code does not compile");
  expect(stateWord({ state: "build_failed" })).toBe("Code does not compile");
});

test("other problems are titled by their step", () => {
  expect(problemTitle({ step: "validating" })).toBe("Validate failed");
  expect(problemTitle({ step: "live" })).toBe("It stopped serving");
});

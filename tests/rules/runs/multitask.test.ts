import { expect, test } from "vitest";
import { CancelAction, MultitaskStrategy } from "../../../lib/protocol/runs.ts";
import { multitask } from "../../../lib/rules/runs/multitask.ts";

test("every strategy either refuses a run, ends the others, or makes it wait for them", () => {
  expect(Object.keys(multitask).toSorted()).toEqual(MultitaskStrategy.options.toSorted());
  for (const strategy of MultitaskStrategy.options) {
    const { refuses, cancels } = multitask[strategy];
    expect(refuses, strategy).toBe(strategy === "reject");
    expect(cancels, strategy).toBe(CancelAction.options.find((action) => action === strategy) ?? null);
  }
});

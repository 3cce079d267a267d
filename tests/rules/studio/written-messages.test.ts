import { describe, expect, test } from "vitest";
import { pastRunsOf } from "../../../lib/rules/studio/history.ts";
import { areOfStep } from "../../../lib/rules/studio/messages.ts";
import type { StudioStep, StudioTask } from "../../../lib/rules/studio/run.ts";
import type { StateHead } from "../../../lib/rules/studio/state-heads.ts";

const said = (content: string, more: object = {}) => ({ type: "tool", content, ...more });

/** Returns the step whose only task wrote these values, as a history tells of it, and that task. */
function stepOf(result: object): { step: StudioStep; task: StudioTask } {
  const before: StateHead = {
    next: ["tools"],
    tasks: [{ id: "t1", name: "tools", result }],
    metadata: { step: 0, source: "loop" },
    created_at: new Date(1e12).toISOString(),
    checkpoint: { checkpoint_id: "c1" },
    parent_checkpoint: null,
  };
  const after: StateHead = {
    ...before,
    next: [],
    tasks: [],
    metadata: { step: 1, source: "loop" },
    checkpoint: { checkpoint_id: "c2" },
    parent_checkpoint: { checkpoint_id: "c1" },
  };
  const run = pastRunsOf([after, before]).runAt("c2");
  const task = run?.tasks.get("t1");
  const step = task && run?.steps.get(task.stepKey);
  if (!step || !task) throw new Error("the history has no such step");
  return { step, task };
}

function isShown(result: Record<string, unknown>, key: string): boolean {
  const { step, task } = stepOf(result);
  return areOfStep(step, task, key, result[key]);
}

describe("what a task wrote to a key", () => {
  test("is shown by its step if it is messages, with ids or without them", () => {
    expect(isShown({ messages: [said("one"), said("two")] }, "messages")).toBe(true);
    expect(isShown({ messages: [said("one", { id: "m1" }), said("two")] }, "messages")).toBe(true);
    expect(isShown({ messages: said("alone") }, "messages")).toBe(true);
    expect([...stepOf({ messages: [said("one"), said("two")] }).step.messages].map(({ text }) => text)).toEqual([
      "one",
      "two",
    ]);
  });

  test("is not shown by its step if it is anything else, also in part", () => {
    expect(isShown({ messages: [] }, "messages")).toBe(false);
    expect(isShown({ messages: [said("one"), "text"] }, "messages")).toBe(false);
    expect(isShown({ messages: [said("one")], topic: "tea" }, "topic")).toBe(false);
    const { task } = stepOf({ messages: [said("one")] });
    const { step: another } = stepOf({ topic: "tea" });
    expect(areOfStep(another, task, "messages", [said("one")])).toBe(false);
  });
});

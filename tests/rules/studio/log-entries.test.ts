import { describe, expect, test } from "vitest";
import { isInputStep, logEntriesOf, shownTasksOf } from "../../../lib/rules/studio/log-entries.ts";
import type { StudioRun } from "../../../lib/rules/studio/run.ts";
import type { StateHead } from "../../../lib/rules/studio/state-heads.ts";
import { newestTurn } from "./plain-run.ts";
import { ended, foldTold, saved, started } from "./told.ts";

/** Returns the entries of the log: the source of a step and its tasks with their statuses. */
const entriesOf = (run: StudioRun): string[] =>
  logEntriesOf(run).map((step) => {
    const tasks = shownTasksOf(run, step).map(({ name, status }) => `${name}:${status}`);
    return [`${step.source ?? "open"} ${step.step}`, ...tasks].join(" ");
  });

/** A state without values, as histories have it. The tasks of the next step have ids of their own. */
const state = (index: number, source: string, next: string[], more: object = {}): StateHead => ({
  next,
  tasks: next.map((name) => ({ id: `${name} ${index}`, name, interrupts: [], ...more })),
  metadata: { step: index - 1, source },
  created_at: null,
  checkpoint: { checkpoint_id: `c${index}` },
  parent_checkpoint: index === 0 ? null : { checkpoint_id: `c${index - 1}` },
});

describe("the log of a run", () => {
  const begin = [state(2, "loop", ["wait"]), state(1, "loop", ["before"]), state(0, "input", ["__start__"])];

  test("an edit before a node has its own entry, and the node that it kept from running has none", () => {
    const run = newestTurn([state(3, "update", ["wait"]), ...begin]);
    expect(entriesOf(run)).toEqual(["loop 1 before:done", "update 2", "open 3 wait:waiting"]);
    expect(run.nodes.get("wait")?.status).toBe("waiting");
  });

  test("what ran after an edit is the next entry", () => {
    const run = newestTurn([state(4, "loop", []), state(3, "update", ["wait"]), ...begin]);
    expect(entriesOf(run)).toEqual(["loop 1 before:done", "update 2", "loop 3 wait:done"]);
  });

  test("an edit after the last node, and a fork, have entries", () => {
    const end = [state(3, "loop", []), ...begin];
    expect(entriesOf(newestTurn([state(4, "update", []), ...end])).slice(1)).toEqual(["loop 2 wait:done", "update 3"]);
    expect(entriesOf(newestTurn([state(4, "fork", []), ...end])).slice(1)).toEqual(["loop 2 wait:done", "fork 3"]);
  });

  test("a node that had asked stays in the log when an edit takes its place", () => {
    const [asking] = [state(2, "loop", ["wait"], { interrupts: [{ id: "i1", value: "?" }] })];
    const run = newestTurn([state(3, "update", ["wait"]), asking, ...begin.slice(1)]);
    expect(entriesOf(run)).toEqual(["loop 1 before:done", "open 2 wait:cancelled", "update 2", "open 3 wait:waiting"]);
  });

  test("an edit that changes nothing has an entry", () => {
    const edit = saved(2, { t3: "b" }, { metadata: { step: 2, source: "update" }, values: { step: 1 } });
    const events = [started("t1", "a", 1), ended("t1", "a", 1), saved(1, { t2: "b" }), edit];
    expect(entriesOf(foldTold(...events.map((data) => ["debug", data] as const)))).toEqual([
      "loop 1 a:done",
      "update 2",
      "open 3 b:waiting",
    ]);
  });

  test("the input of every turn is the step after its checkpoint, also without the checkpoint itself", () => {
    const input = saved(4, {}, { metadata: { step: 4, source: "input" }, next: ["__start__"] });
    const events = [input, saved(5, { t6: "a" }), started("t6", "a", 6), ended("t6", "a", 6), saved(6), saved(7)];
    const inputsOf = (...list: object[]): unknown[] => {
      const run = foldTold(...list.map((data) => ["debug", data] as const));
      return [...run.steps].filter((step) => step.tasks.length === 0 && isInputStep(run, step)).map(({ step }) => step);
    };
    expect(inputsOf(...events)).toEqual([4, 5]);
    expect(inputsOf(...events.slice(1))).toEqual([5]);
  });
});

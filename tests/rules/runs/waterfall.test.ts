import fc from "fast-check";
import { expect, test } from "vitest";
import { type RunTimes, waterfallOf } from "../../../lib/rules/runs/waterfall.ts";

const RUN = "run";
const at = (second: number): string => new Date(second * 1000).toISOString();
const run = (part: Partial<RunTimes> = {}): RunTimes => ({
  run_id: RUN,
  status: "success",
  started_at: at(10),
  ended_at: at(100),
  ...part,
});

interface Made {
  id: number;
  second: number;
  tasks?: object[];
  of?: string;
  source?: string;
}

/** Makes states as the history has them, newest first, each the parent of the next. */
const historyOf = (made: readonly Made[]): object[] =>
  made
    .map(({ id, second, tasks = [], of = RUN, source = "loop" }, place) => ({
      checkpoint: { checkpoint_id: `c${id}` },
      parent_checkpoint: place === 0 ? null : { checkpoint_id: `c${made[place - 1]?.id}` },
      created_at: at(second),
      metadata: { run_id: of, step: place - 1, source },
      tasks,
    }))
    .toReversed();

const task = (name: string, more: object = {}) => ({ id: `task ${name}`, name, ...more });

test("bars last from the checkpoint that planned them to the next one", () => {
  const history = historyOf([
    { id: 1, second: 10, tasks: [task("__start__")] },
    { id: 2, second: 11, tasks: [task("plan")] },
    { id: 3, second: 14, tasks: [task("a"), task("b")] },
    { id: 4, second: 20 },
  ]);
  expect(waterfallOf(history, run())).toEqual([
    { id: "task plan", node: "plan", step: 1, from: 11_000, to: 14_000, state: "done" },
    { id: "task a", node: "a", step: 2, from: 14_000, to: 20_000, state: "done" },
    { id: "task b", node: "b", step: 2, from: 14_000, to: 20_000, state: "done" },
  ]);
});

test("a run that resumes begins with the open task of the run before, at its own start", () => {
  const history = historyOf([
    { id: 1, second: 1, tasks: [task("review", { interrupts: [{}] })], of: "other" },
    { id: 2, second: 12 },
  ]);
  expect(waterfallOf(history, run())).toEqual([
    { id: "task review", node: "review", step: 0, from: 10_000, to: 12_000, state: "done" },
  ]);
});

test("a run that retries a failed one with its input begins with its own first node", () => {
  const history = historyOf([
    { id: 1, second: 1, tasks: [task("fail", { error: "boom" })], of: "other" },
    { id: 2, second: 10, tasks: [task("__start__")], source: "input" },
    { id: 3, second: 12, tasks: [task("begin")] },
    { id: 4, second: 13, tasks: [task("fail again", { error: "boom" })] },
  ]);
  expect(waterfallOf(history, run({ status: "error" })).map(({ node, state }) => [node, state])).toEqual([
    ["begin", "done"],
    ["fail again", "failed"],
  ]);
});

test.each([
  [{}, { status: "running", ended_at: null }, { state: "running", to: undefined }],
  [{ interrupts: [{ value: 1 }] }, { status: "success" }, { state: "waiting", to: 100_000 }],
  [{ error: "boom" }, { status: "error" }, { state: "failed", to: 100_000 }],
  [{}, { status: "success" }, { state: "waiting", to: 100_000 }],
  [{ result: { text: "written" } }, { status: "success" }, { state: "done", to: 100_000 }],
  [{}, { status: "error" }, { state: "cancelled", to: 100_000 }],
  [{}, { status: "interrupted" }, { state: "cancelled", to: 100_000 }],
  [{ interrupts: [{ value: 1 }] }, { status: "interrupted" }, { state: "waiting", to: 100_000 }],
] as const)("the last tasks %j of a run %j are %j", (more, part, expected) => {
  const history = historyOf([{ id: 1, second: 11, tasks: [task("last", more)] }]);
  expect(waterfallOf(history, run(part))).toMatchObject([expected]);
});

test("steps of other runs are left out, whatever the history holds", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.jsonValue(), fc.constantFrom(...historyOf([{ id: 9, second: 3, tasks: [task("x")], of: "b" }]))),
      ),
      (history) => {
        expect(waterfallOf(history, run())).toEqual([]);
      },
    ),
  );
});

test("no bar ends before it begins, in any run of increasing times", () => {
  const steps = fc.array(fc.record({ more: fc.nat(50), tasks: fc.nat(3) }), { maxLength: 8 });
  fc.assert(
    fc.property(steps, (list) => {
      let second = 10;
      const made = list.map(({ more, tasks }, id) => ({
        id,
        second: (second += more),
        tasks: Array.from({ length: tasks }, (_, place) => task(`n${id} ${place}`)),
      }));
      const bars = waterfallOf(historyOf(made), run({ ended_at: at(1000) }));
      expect(bars).toHaveLength(list.reduce((sum, { tasks }) => sum + tasks, 0));
      expect(bars.every(({ from, to = Infinity }) => from <= to)).toBe(true);
    }),
  );
});

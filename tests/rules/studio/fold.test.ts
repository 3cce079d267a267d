/** Laws of the fold for streams of any kind: of other servers, of all modes, cut, repeated and broken. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { continueStudioRun } from "../../../lib/rules/studio/continue.ts";
import { endStudioRun, foldRunEvent, foldRunEvents } from "../../../lib/rules/studio/fold.ts";
import { pastRunsOf } from "../../../lib/rules/studio/history.ts";
import { KeyedList } from "../../../lib/rules/studio/keyed-list.ts";
import { beginStudioRun, type StudioRun, summaryStatus } from "../../../lib/rules/studio/run.ts";
import type { StateHead } from "../../../lib/rules/studio/state-heads.ts";
import type { ParsedEvent } from "../../../lib/rules/threads/transcript.ts";
import { plainRun, tasksThatAre } from "./plain-run.ts";

const name = fc.constantFrom("a", "b", "a:b", "a|b", "__proto__", "constructor", "__start__", "");
const id = fc.constantFrom("t1", "t2", "t3", "t4", "__proto__", "t:5");
const namespace = fc.constantFrom("", "|a:t1", "|a:t1|b:t2", "|a|b:t3", "|a:t1|1", "|__proto__:t4", "|", "||:");
const step = fc.constantFrom(-1, 0, 1, 2, 3, undefined, "x");
const interrupts = fc.constantFrom(undefined, [], [{ id: "i1", value: 1 }], [{ value: 2 }], [{ id: "i2" }, null], "x");
const message = fc.record(
  { id: fc.constantFrom("m1", "m2", ""), type: fc.constantFrom("ai", "tool", "human"), content: fc.string() },
  { requiredKeys: ["type", "content"] },
);
const state = fc.oneof(
  fc.record({ n: fc.nat(3), messages: fc.array(message, { maxLength: 3 }) }, { requiredKeys: [] }),
  fc.jsonValue({ maxDepth: 2 }),
);
const start = fc.record({ id, name, input: state, triggers: fc.constantFrom([], ["join:a+b:a"], "x") });
const result = fc.record(
  { id, name, result: state, interrupts, error: fc.constantFrom("kaput", { message: "kaput", name: "E" }, null) },
  { requiredKeys: ["id", "name", "result"] },
);
const position = fc.constantFrom(null, { checkpoint_id: "c1" }, { checkpoint_id: "c2" }, { checkpoint_id: "c3" });
const checkpoint = fc.record(
  {
    values: state,
    next: fc.array(name, { maxLength: 2 }),
    metadata: fc.record({ step, source: fc.constantFrom("loop", "input", "fork", "update") }, { requiredKeys: [] }),
    tasks: fc.array(fc.record({ id, name, interrupts, result: state }, { requiredKeys: ["id", "name"] }), {
      maxLength: 3,
    }),
    checkpoint: position,
    parent_checkpoint: position,
  },
  { requiredKeys: ["values", "next"] },
);
const timestamp = fc.constantFrom("2026-11-23T22:24:23.927Z", "2026-11-23T22:24:24Z", "yesterday");
const debug = fc.oneof(
  fc.record({ type: fc.constant("task"), step, timestamp, payload: start }),
  fc.record({ type: fc.constant("task_result"), step, timestamp, payload: result }),
  fc.record({ type: fc.constant("checkpoint"), step, timestamp, payload: checkpoint }),
);
const about = fc.record(
  { langgraph_node: name, langgraph_step: step, langgraph_checkpoint_ns: fc.constantFrom("a:t1", "b:t2", "a") },
  { requiredKeys: [] },
);
const modes = ["debug", "tasks", "checkpoints", "updates", "values", "messages", "custom", "error", "metadata", "end"];
const tell = (mode: string, data: fc.Arbitrary<unknown>) => fc.tuple(fc.constant(mode), namespace, data);
const anyEvent = fc
  .oneof(
    { weight: 4, arbitrary: tell("debug", debug) },
    tell("tasks", fc.oneof(start, result)),
    tell("checkpoints", checkpoint),
    tell(
      "updates",
      fc.dictionary(fc.constantFrom("a", "b", "__interrupt__", "__metadata__"), fc.oneof(state, interrupts)),
    ),
    tell("values", fc.oneof(state, fc.record({ n: fc.nat(3), __interrupt__: interrupts }))),
    tell("messages", fc.tuple(message, about)),
    tell("messages/partial", fc.array(message)),
    tell("messages/complete", fc.array(message)),
    tell("messages/metadata", fc.dictionary(fc.constantFrom("m1", "m2"), fc.record({ metadata: about }))),
    tell("custom", fc.jsonValue()),
    tell("metadata", fc.record({ run_id: fc.constant("r1"), attempt: fc.integer({ min: 1, max: 3 }) })),
    tell("error", fc.constantFrom({ error: "E", message: "kaput" }, "kaput\n    at own (/app/a.ts:1:2)", null)),
    tell("end", fc.constantFrom({ status: "success" }, { status: "error" }, { status: "interrupted" }, null)),
    tell("events", fc.jsonValue()),
    fc.tuple(fc.constantFrom(...modes), namespace, fc.jsonValue()),
    fc.tuple(fc.string(), namespace, fc.jsonValue()),
  )
  .map(([mode, at, data]) => ({ event: `${mode}${at}`, data }));
/** Ids have gaps where events are lost. */
const stream = fc.array(fc.tuple(anyEvent, fc.constantFrom(1, 1, 1, 1, 1, 1, 2)), { maxLength: 40 }).map((list) => {
  let last = -1;
  return list.map(([event, more]): ParsedEvent => ({ id: (last += more), ...event }));
});

const fold = (events: readonly ParsedEvent[]): StudioRun => foldRunEvents(beginStudioRun(), events);

describe("fold of any stream", () => {
  test("folding a then b is folding both at once, and neither changes", () => {
    fc.assert(
      fc.property(stream, fc.nat(40), (events, cut) => {
        const first = fold(events.slice(0, cut));
        const before = JSON.stringify(plainRun(first));
        expect(plainRun(foldRunEvents(first, events.slice(cut)))).toEqual(plainRun(fold(events)));
        expect(JSON.stringify(plainRun(first))).toBe(before);
      }),
    );
  });

  test("a replay changes nothing", () => {
    fc.assert(
      fc.property(stream, fc.nat(40), (events, from) => {
        const run = fold(events);
        expect(foldRunEvents(run, events.slice(from))).toBe(run);
      }),
    );
  });

  test("nodes count their tasks, steps name each once, and no task runs after an end", () => {
    fc.assert(
      fc.property(stream, fc.boolean(), (events, isContinued) => {
        const halves = isContinued ? continueStudioRun(fold(events)) : beginStudioRun();
        const run = foldRunEvents(halves, events);
        const tasks = [...run.tasks];
        for (const node of run.nodes) {
          const all = tasks.filter((task) => task.node === node.node);
          const own = all.filter((task) => task.status !== "cancelled" || task.attempt > 0);
          expect(node.runs).toBe(own.filter(({ attempt, isCached }) => attempt > 0 && !isCached).length);
          const isCounted = Object.keys(node.counts).length > 0;
          if (isCounted) expect(node.status).toBe(summaryStatus(node.counts));
          else expect(["cancelled", "unknown"]).toContain(node.status);
          expect(node.path.join(":")).toBe(node.node);
          if (isContinued) continue;
          for (const status of new Set(own.map((task) => task.status))) {
            expect(node.counts[status]).toBe(own.filter((task) => task.status === status).length);
          }
          expect(Object.values(node.counts).reduce((sum, count) => sum + count, 0)).toBe(own.length);
        }
        expect([...run.steps].flatMap((one) => one.tasks).toSorted()).toEqual(tasks.map((task) => task.id).toSorted());
        for (const task of tasks) expect(run.steps.get(task.stepKey)?.tasks).toContain(task.id);
        expect(tasksThatAre(endStudioRun(run), "running")).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("interrupts that are open have one id each, and those of known tasks are of interrupted ones", () => {
    fc.assert(
      fc.property(stream, (events) => {
        const run = fold(events);
        const ids = run.interrupts.map((one) => one.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test("any history folds", () => {
    const odd = fc.oneof(checkpoint, fc.record({ checkpoint: position, tasks: fc.jsonValue() }));
    fc.assert(
      fc.property(fc.array(odd), (states) => {
        const { runAt } = pastRunsOf(states as unknown as StateHead[]);
        for (const id of ["c1", "c2", "c3"]) {
          const run = runAt(id);
          expect(run !== undefined).toBe(states.some((one) => one.checkpoint?.checkpoint_id === id));
          expect(run ? tasksThatAre(run, "running") : []).toEqual([]);
        }
      }),
    );
  });

  test("every part that an event does not concern keeps its identity", () => {
    fc.assert(
      fc.property(stream, anyEvent, (events, event) => {
        const before = fold(events);
        const after = foldRunEvent(before, { id: before.seen + 1, ...event });
        const same = (part: unknown) =>
          JSON.stringify(part, (_key, value: unknown) => (value instanceof KeyedList ? [...value] : value));
        for (const task of after.tasks) {
          const old = before.tasks.get(task.id);
          if (old && old !== task) expect(same(task)).not.toBe(same(old));
        }
        for (const node of after.nodes) {
          const old = before.nodes.get(node.node);
          if (old && old !== node) expect(same(node)).not.toBe(same(old));
        }
        for (const entry of after.steps) {
          const old = before.steps.get(entry.key);
          if (old && old !== entry) expect(same(entry)).not.toBe(same(old));
        }
      }),
    );
  });
});

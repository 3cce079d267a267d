/** Statuses of tasks in made-up runs: what is told, what follows, and what is unknown. */
import { describe, expect, test } from "vitest";
import { continueStudioRun } from "../../../lib/rules/studio/continue.ts";
import { foldRunEvents } from "../../../lib/rules/studio/fold.ts";
import { edgesTaken } from "./edges-taken.ts";
import { waitsFor } from "../../../lib/rules/studio/run.ts";
import { ended, foldTold, saved, started, statusesOf, told } from "./told.ts";

const piece = (id: string, text: string, about: object = {}) => [{ id, type: "ai", content: text }, about];
const question = { interrupts: [{ id: "i1", value: "May I?" }] };

describe("a task", () => {
  test.each(["__proto__", "a|b", "a:b", "constructor", "größe", ""])("may be one of a node called %j", (odd) => {
    const id = "00000000-0000-5000-8000-000000000000";
    const inner = `debug|${odd}:${id}`;
    const run = foldTold(["debug", started(id, odd, 1)], [inner, started("t2", odd, 1)], [inner, ended("t2", odd, 1)]);
    expect([...run.tasks].map(({ path, status }) => [path, status])).toEqual([
      [[odd], "running"],
      [[odd, odd], "done"],
    ]);
    const edges = [
      { source: odd, target: `${odd}:${odd}` },
      { source: "__start__", target: odd },
    ];
    expect(edgesTaken({ edges }, run).map(({ index }) => index)).toEqual([1]);
  });

  test("waits once a checkpoint tells it as next, and runs once it starts or writes a token", () => {
    const waiting = foldTold(["debug", saved(0, { t1: "a", t2: "b" })]);
    expect(statusesOf(waiting)).toEqual({ t1: "waiting", t2: "waiting" });
    expect([...waiting.nodes].map(({ status, runs }) => [status, runs])).toEqual([
      ["waiting", 0],
      ["waiting", 0],
    ]);
    const run = foldRunEvents(waiting, [
      { id: 1, event: "debug", data: started("t1", "a", 1) },
      { id: 2, event: "messages|b:t2", data: piece("m1", "hi") },
    ]);
    expect(statusesOf(run)).toEqual({ t1: "running", t2: "running" });
    expect(run.tasks.get("t1")?.startedAt).toBe(Date.UTC(2026, 10, 23, 22, 24, 23));
    expect(run.tasks.get("t2")?.startedAt).toBeUndefined();
  });

  test("of an earlier step whose end was not told is unknown", () => {
    const run = foldTold(
      ["debug", saved(0, { t0: "c" })],
      ["debug", started("t1", "a", 1)],
      ["debug", started("t2", "b", 2)],
    );
    expect(statusesOf(run)).toEqual({ t0: "unknown", t1: "unknown", t2: "running" });
  });

  test("takes the graph in it along when it ends unsaid", () => {
    const run = foldTold(
      ["debug", started("t1", "a", 1)],
      ["debug|a:t1", started("t2", "b", 1)],
      ["debug", started("t3", "c", 2)],
    );
    expect(statusesOf(run)).toEqual({ t1: "unknown", t2: "unknown", t3: "running" });
  });

  test.each<[string, object, Record<string, string>]>([
    ["is done", {}, { t2: "done", t3: "cancelled" }],
    ["failed", { error: "kaput" }, { t2: "cancelled", t3: "waiting" }],
    ["asks", question, { t2: "unknown", t3: "waiting" }],
  ])("that %s tells what became of the graph in it", (_what, outcome, inner) => {
    const list = [
      ["debug", started("t1", "a", 1)],
      ["debug|a:t1", saved(0, { t2: "b", t3: "c" })],
      ["debug|a:t1", started("t2", "b", 1)],
      ["debug", ended("t1", "a", 1, outcome)],
    ] as const;
    expect(statusesOf(foldTold(...list))).toMatchObject(inner);
    expect(foldTold(...list).tasks.get("t2")?.isCached).toBe(false);
    expect(foldTold(...list).graphs.get("a:t1")).not.toHaveProperty("values");
    const lossy = statusesOf(foldTold(...list.slice(0, 3), undefined, list[3]));
    expect(lossy).toMatchObject({ t2: "unknown", t3: "unknown" });
  });

  test("of a saved step is done only if no event is missing since it began", () => {
    const start = ["debug", started("t1", "a", 1)] as const;
    const all = foldTold(start, ["debug", saved(1)]);
    expect(all.tasks.get("t1")).toMatchObject({ status: "done", isCached: true });
    expect(statusesOf(foldTold(start, undefined, ["debug", saved(1)]))).toEqual({ t1: "unknown" });
    expect(statusesOf(foldTold(undefined, start, ["debug", saved(1)]))).toEqual({ t1: "done" });
  });

  test("is told by checkpoints alone to be done, and not to be from a cache", () => {
    const run = foldTold(["debug", saved(0, { t1: "a" })], ["debug", saved(1)]);
    expect(run.tasks.get("t1")).toMatchObject({ status: "done", isCached: false, attempt: 1 });
    expect(run.nodes.get("a")).toMatchObject({ counts: { done: 1 }, runs: 1 });
    expect(Object.keys(run.nodes.get("a")?.counts ?? {})).toEqual(["done"]);
  });

  test.each(["input", "fork", "update"])("that a checkpoint of source %s took the place of is cancelled", (source) => {
    const metadata = { metadata: { step: 1, source } };
    const run = foldTold(
      ["debug", saved(0, { t1: "a", t2: "b", t3: "c" })],
      ["debug", started("t2", "b", 1)],
      ["debug", ended("t3", "c", 1, question)],
      ["debug", saved(1, {}, metadata)],
    );
    expect(statusesOf(run)).toEqual({ t1: "cancelled", t2: "unknown", t3: "cancelled" });
    expect(run.interrupts).toEqual([]);
  });

  test("of another step than the one that was saved is not done by it", () => {
    const run = foldTold(["debug", saved(0, { t1: "a" })], ["debug", saved(7)]);
    expect(statusesOf(run)).toEqual({ t1: "cancelled" });
  });

  test("of a later step is given up when an earlier one begins again", () => {
    const run = foldTold(["debug", started("t5", "a", 5)], ["debug", started("t3", "b", 3)]);
    expect(statusesOf(run)).toEqual({ t5: "unknown", t3: "running" });
  });

  test.each(["error", "interrupted", "timeout"] as const)(
    "that ran when its run ended by %s was cancelled",
    (status) => {
      const start = ["debug", started("t1", "a", 1)] as const;
      const run = foldTold(start, ["end", { status }]);
      expect([run.status, statusesOf(run)]).toEqual([status, { t1: "cancelled" }]);
      expect(statusesOf(foldTold(start, undefined, ["end", { status }]))).toEqual({ t1: "unknown" });
    },
  );

  test("that ran when its run failed was cancelled before the end is told", () => {
    const run = foldTold(["debug", started("t1", "a", 1)], ["error", { error: "E", message: "kaput" }]);
    expect([run.status, statusesOf(run)]).toEqual(["error", { t1: "cancelled" }]);
  });

  test("begins anew when the run is attempted again, and its unfinished messages go", () => {
    const first = [
      ["metadata", { run_id: "r", attempt: 1 }],
      ["debug", started("t1", "a", 1)],
      ["messages|a:t1", piece("m1", "lost")],
      ["metadata", { run_id: "r", attempt: 2 }],
    ] as const;
    const lost = foldTold(...first);
    expect([lost.attempt, statusesOf(lost)]).toEqual([2, { t1: "unknown" }]);
    const run = foldTold(...first, ["debug", started("t1", "a", 1)]);
    expect(run.tasks.get("t1")).toMatchObject({ status: "running", attempt: 2 });
    expect([...(run.steps.get("#1")?.messages ?? [])]).toEqual([]);
    // The checkpoint from which the run goes on has what the lost attempt had saved.
    const kept = foldTold(...first, [
      "debug",
      saved(0, {}, { next: ["a"], tasks: [{ id: "t1", name: "a", result: {} }] }),
    ]);
    expect(kept.tasks.get("t1")).toMatchObject({ status: "done", isCached: true });
  });

  test("goes on after an answer, which is no other attempt", () => {
    const run = foldTold(
      ["debug", started("t1", "a", 1)],
      ["debug", ended("t1", "a", 1, question)],
      ["debug", started("t1", "a", 1)],
    );
    expect(run.tasks.get("t1")).toMatchObject({ status: "running", attempt: 1 });
    const failed = foldTold(
      ["debug", started("t1", "a", 1)],
      ["debug", ended("t1", "a", 1, { error: "kaput" })],
      ["debug", started("t1", "a", 1)],
    );
    expect(failed.tasks.get("t1")).toMatchObject({ status: "running", attempt: 2 });
  });

  test("tells the errors after which its node was tried again, until it starts anew", () => {
    const retried = ["attempt 1 failed", "attempt 2 failed"];
    const [begun, over] = [started("t1", "a", 1), ended("t1", "a", 1, { retried })];
    const run = foldTold(["tasks", begun.payload], ["debug", begun], ["tasks", over.payload], ["debug", over]);
    expect(run.tasks.get("t1")).toMatchObject({ status: "done", attempt: 1, retried });
    const again = foldTold(
      ["debug", begun],
      ["debug", ended("t1", "a", 1, { error: "kaput", retried })],
      ["debug", begun],
    );
    expect(again.tasks.get("t1")).not.toHaveProperty("retried");
  });

  test("is one task when the modes `tasks` and `debug` both tell it", () => {
    const [begun, over] = [started("t1", "a", 1), ended("t1", "a", 1)];
    const run = foldTold(["tasks", begun.payload], ["debug", begun], ["tasks", over.payload], ["debug", over]);
    expect([...run.tasks]).toMatchObject([{ status: "done", attempt: 1 }]);
    expect(run.nodes.get("a")).toMatchObject({ runs: 1, lastDuration: 2000 });
  });

  test("tells its error with the first own line of the stack", () => {
    const stack =
      "TypeError: no\n    at node:internal/x\n    at f (/app/node_modules/y.js:1:1)\n    at run (/app/graph.ts:7:3)";
    const payload = { id: "t1", name: "a", error: { name: "TypeError", message: "no", stack }, interrupts: [] };
    const run = foldTold(["tasks", payload], ["error", `kaput\n    at own (/app/a.ts:1:2)`]);
    expect(run.tasks.get("t1")?.error).toEqual({ name: "TypeError", message: "no", place: "run (/app/graph.ts:7:3)" });
    expect(run.error).toEqual({ message: "kaput", place: "own (/app/a.ts:1:2)" });
  });

  test("tells the place in the application's code that the server names", () => {
    const source = { file: "graph.ts", line: 7 };
    const run = foldTold(["error", { error: "TypeError", message: "no", source }]);
    expect(run.error).toEqual({ name: "TypeError", message: "no", place: "graph.ts:7" });
  });
});

describe("a question", () => {
  const asked = told(
    ["debug", started("t1", "a", 1)],
    ["debug", ended("t1", "a", 1, question)],
    ["end", { status: "success" }],
  );
  const next = (...list: Parameters<typeof told>) =>
    foldRunEvents(continueStudioRun(foldRunEvents(foldTold(), asked), "r2"), told(...list));

  test("is open until its task starts again, or is told to be done", () => {
    expect(waitsFor(foldRunEvents(foldTold(), asked))).toBe("answer");
    const known = saved(0, {}, { next: ["a"], tasks: [{ id: "t1", name: "a", ...question }] });
    expect(next(["debug", known]).interrupts).toHaveLength(1);
    expect(next(["debug", started("t1", "a", 1)])).toMatchObject({ id: "r2", status: "running", interrupts: [] });
    expect(next(undefined, ["debug", ended("t1", "a", 1)])).toMatchObject({ interrupts: [] });
    expect(next(["debug", known], ["debug", known]).tasks.get("t1")?.status).toBe("interrupted");
  });

  test("without a known task is not carried to the next run", () => {
    const run = foldTold(["updates", { __interrupt__: question.interrupts }], ["end", { status: "success" }]);
    expect(run.interrupts).toHaveLength(1);
    expect(continueStudioRun(run).interrupts).toEqual([]);
  });

  test("stays open in the midst of missing events, but a task that waits may have run", () => {
    const run = next(undefined, undefined, ["end", { status: "success" }]);
    expect(statusesOf(run)).toEqual({ t1: "interrupted" });
    const stopped = foldTold(
      ["custom", 1],
      ["custom", 2],
      ["custom", 3],
      ["debug", saved(0, { t1: "a" })],
      ["end", {}],
    );
    const lossy = foldRunEvents(continueStudioRun(stopped), told(undefined, ["end", { status: "success" }]));
    expect([statusesOf(stopped), statusesOf(lossy)]).toEqual([{ t1: "waiting" }, { t1: "unknown" }]);
  });

  test("is told once with its innermost task, whichever event comes first", () => {
    const run = foldTold(
      ["updates", { __interrupt__: question.interrupts }],
      ["tasks|a:t1", { id: "t2", name: "b", result: {}, ...question }],
      ["tasks", { id: "t1", name: "a", result: {}, ...question }],
    );
    expect(run.interrupts).toEqual([{ id: "i1", value: "May I?", task: "t2", node: "a:b" }]);
  });
});

test("a breakpoint's node still waits when the next run tells the same checkpoint again", () => {
  const stopped = foldTold(["debug", saved(0, { t1: "a" })], ["end", { status: "success" }]);
  expect(waitsFor(stopped)).toBe("breakpoint");
  const run = foldRunEvents(continueStudioRun(stopped), told(["debug", saved(0, { t1: "a" })]));
  expect(statusesOf(run)).toEqual({ t1: "waiting" });
  expect([...run.steps].map(({ key }) => key)).toEqual(["#0", "#1"]);
});

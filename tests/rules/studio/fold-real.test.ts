/** The fold of runs of real graphs. Their events are made at test time, as the worker makes them. */
import { InMemoryCache, MemorySaver } from "@langchain/langgraph-checkpoint";
import { Command } from "@langchain/langgraph";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { continueStudioRun } from "../../../lib/rules/studio/continue.ts";
import { endStudioRun, foldRunEvent, foldRunEvents } from "../../../lib/rules/studio/fold.ts";
import { edgesTaken } from "./edges-taken.ts";
import { beginStudioRun, type StudioRun, waitsFor } from "../../../lib/rules/studio/run.ts";
import type { ParsedEvent } from "../../../lib/rules/threads/transcript.ts";
import { logOf, newestTurn, plainRun, tasksThatAre } from "./plain-run.ts";
import { type GraphName, graphs } from "./real-graphs.ts";
import { drawGraph, type RealRun, runGraph, STUDIO_MODES } from "./real-runs.ts";

const names = Object.keys(graphs) as GraphName[];
const runs = {} as Record<GraphName, RealRun>;
beforeAll(async () => {
  for (const name of names) runs[name] = await runGraph(name);
});

const fold = (events: readonly ParsedEvent[]): StudioRun => foldRunEvents(beginStudioRun(), events);
const subset = (events: readonly ParsedEvent[]) =>
  fc
    .array(fc.boolean(), { minLength: events.length, maxLength: events.length })
    .map((kept) => events.filter((_event, index) => kept[index]));

describe.each(names)("a run of %s", (name) => {
  test("folds alike in one go, in any two parts, and one by one at other times", () => {
    const { events } = runs[name];
    const whole = fold(events);
    const slow = events.map((event, index) => ({ ...event, at: index * 1000 }));
    expect(plainRun(slow.reduce(foldRunEvent, beginStudioRun()))).toEqual(plainRun(whole));
    for (let cut = 0; cut <= events.length; cut++) {
      const split = foldRunEvents(fold(events.slice(0, cut)), events.slice(cut));
      expect(plainRun(split)).toEqual(plainRun(whole));
    }
  });

  test("is the same object after a replay", () => {
    const { events } = runs[name];
    const run = fold(events);
    for (let from = 0; from <= events.length; from++) expect(foldRunEvents(run, events.slice(from))).toBe(run);
  });

  test("with lost events never shows a task as done that was not, nor one as running after the end", () => {
    const { events } = runs[name];
    const done = new Set(tasksThatAre(fold(events), "done"));
    fc.assert(
      fc.property(subset(events), (kept) => {
        const run = endStudioRun(fold(kept));
        expect(tasksThatAre(run, "done").filter((id) => !done.has(id))).toEqual([]);
        expect(tasksThatAre(run, "running")).toEqual([]);
      }),
    );
  });

  test("with lost events tells a change of state as it was, or not at all", () => {
    const { events } = runs[name];
    const changes = new Map([...fold(events).steps].map(({ key, difference }) => [key, difference]));
    fc.assert(
      fc.property(subset(events), (kept) => {
        for (const { key, difference } of fold(kept).steps) {
          if (difference) expect(difference).toEqual(changes.get(key));
        }
      }),
      { numRuns: 50 },
    );
  });

  test("whose stream broke shows as unknown what was running", () => {
    const { events } = runs[name];
    for (let cut = 0; cut < events.length - 1; cut++) {
      const live = fold(events.slice(0, cut));
      const running = tasksThatAre(live, "running");
      const broken = endStudioRun(live);
      if (live.status !== "error") {
        expect(tasksThatAre(broken, "unknown")).toEqual(expect.arrayContaining(running));
        expect(broken.status).toBe("unknown");
      }
      expect(tasksThatAre(broken, "running")).toEqual([]);
    }
  });

  test("agrees with the thread's history on nodes, order, statuses and changes", () => {
    const { events, history } = runs[name];
    const told = fold(events);
    const kept = newestTurn(history);
    const rootLog = logOf(told).filter((line) => line.startsWith("#"));
    expect(logOf(kept)).toEqual(rootLog);
    const changes = (run: StudioRun) =>
      [...run.steps].filter(({ namespace }) => namespace === "").map(({ step, difference }) => ({ step, difference }));
    expect(changes(kept)).toEqual(changes(told));
    expect([kept.status, waitsFor(kept)]).toEqual([told.status, waitsFor(told)]);
    expect(kept.next.toSorted()).toEqual(told.next.toSorted());
    expect(kept.interrupts.map(({ id }) => id)).toEqual(told.interrupts.map(({ id }) => id));
  });

  test("counts every task at its node, and names it in its step once", () => {
    const run = fold(runs[name].events);
    for (const node of run.nodes) {
      const own = [...run.tasks].filter((task) => task.node === node.node);
      const total = Object.values(node.counts).reduce((sum, count) => sum + count, 0);
      expect([total, node.runs]).toEqual([own.length, own.length]);
    }
    expect([...run.steps].flatMap(({ tasks }) => tasks).toSorted()).toEqual(
      [...run.tasks].map(({ id }) => id).toSorted(),
    );
  });
});

describe("the log of a run", () => {
  test("of a graph in a graph in a graph has an entry for each step of each", () => {
    expect(logOf(fold(runs.nested.events))).toEqual([
      "#-1",
      "#0",
      "#1 first:done",
      "#2 child:done",
      "|#-1",
      "|#0",
      "|#1 child:inner:done",
      "||#-1",
      "||#0",
      "||#1 child:inner:deep:done",
      "||#2 child:inner:deeper:done",
      "|#2 child:after:done",
    ]);
  });

  test("tells starts and ends by the worker's clock", () => {
    const run = fold(runs.nested.events);
    for (const task of run.tasks) {
      const told = runs.nested.events.filter(({ data }) => JSON.stringify(data).includes(`"id":"${task.id}"`));
      const stamps = told
        .map(({ data }) => data as { type: string; timestamp: string })
        .filter(({ type }) => type === "task" || type === "task_result");
      expect([task.startedAt, task.endedAt]).toEqual(stamps.map(({ timestamp }) => Date.parse(timestamp)));
    }
    const child = run.nodes.get("child");
    expect(child?.lastDuration).toBeGreaterThanOrEqual(run.nodes.get("child:inner:deep")?.lastDuration ?? Infinity);
  });

  test("of parallel tasks of one node has them all, and the node counts them", () => {
    const run = fold(runs.fanOut.events);
    expect(run.nodes.get("work")).toMatchObject({ counts: { done: 20 }, status: "done", runs: 20 });
    expect(run.steps.get("#2")?.tasks).toHaveLength(20);
    expect(run.steps.get("#2")?.difference).toMatchObject([{ kind: "appended", path: ["log"], items: { length: 20 } }]);
  });

  test("of a failing node tells its error, and that its neighbour was stopped", () => {
    const run = fold(runs.fails.events);
    expect(logOf(run)).toEqual(["#-1", "#0", "#1 flaky:done", "#2 bad:failed beside:cancelled"]);
    expect(run).toMatchObject({ status: "error", error: { name: "RangeError", message: "kaput" } });
    expect([...run.tasks].find(({ name }) => name === "bad")?.error).toEqual({ message: "kaput" });
  });

  test("has messages whole, with tool calls, at the task that wrote them", () => {
    const { events } = runs.chats;
    const live = fold(events.slice(0, -4));
    const text = (run: StudioRun) => [...(run.steps.get("#3")?.messages ?? [])].map((message) => message.text);
    expect(text(live)).toEqual(["`17 * 3` = **51**"]);
    const run = fold(events);
    expect(text(run)).toEqual(text(live));
    const [call] = run.steps.get("#1")?.messages ?? [];
    expect(call).toMatchObject({ node: "agent", calls: [{ name: "calculate", args: '{"expression":"17 * 3"}' }] });
    expect([...(run.steps.get("#2")?.messages ?? [])]).toMatchObject([{ type: "tool", node: "tools" }]);
  });

  test("has custom events in order", () => {
    const custom = fold(runs.custom.events).steps.get("#1")?.custom;
    expect([...(custom?.first ?? []), ...(custom?.last ?? [])].map(({ data }) => data)).toEqual(
      Array.from({ length: 30 }, (_none, part) => ({ part })),
    );
  });

  test("tells that an inner task which hands over to an outer node is done", () => {
    expect(fold(runs.handsOver.events).nodes.get("team:handoff")).toMatchObject({ status: "done", runs: 1 });
  });
});

describe("what a run waits for", () => {
  test("parallel interrupts are open with their tasks, and the next run answers them", async () => {
    const saver = new MemorySaver();
    const asked = fold((await runGraph("asks", { saver })).events);
    expect(logOf(asked).at(-1)).toBe("#2 left:interrupted quick:done right:interrupted");
    expect(asked.interrupts.map(({ node, value }) => [node, value])).toEqual([
      ["left", { question: "left" }],
      ["right", { question: "right" }],
    ]);
    expect(waitsFor(asked)).toBe("answer");

    const { events, history } = await runGraph("asks", { saver, input: new Command({ resume: "yes" }) });
    const answered = foldRunEvents(continueStudioRun(asked), events);
    expect(logOf(answered)).toEqual(["#-1", "#0", "#1 begin:done", "#2 left:done quick:done right:done"]);
    expect(logOf(newestTurn(history))).toEqual(logOf(answered));
    expect([answered.interrupts, waitsFor(answered)]).toEqual([[], undefined]);
    expect(answered.nodes.get("left")).toMatchObject({ counts: { done: 1 }, runs: 1 });
    expect(answered.nodes.get("left")?.counts).toEqual({ done: 1 });
    expect(answered.steps.get("#2")?.difference).not.toEqual([]);

    // Alone, the second run tells the same of what it did: one task had its result before.
    const alone = fold(events);
    expect(logOf(alone)).toEqual(["#1", "#2 left:done quick:done right:done"]);
    expect([...alone.tasks].filter(({ isCached }) => isCached).map(({ name }) => name)).toEqual(["quick"]);
  });

  test("an interrupt two graphs deep is told once, at the innermost node", () => {
    const run = fold(runs.asksBelow.events);
    expect(run.interrupts.map(({ node, value }) => [node, value])).toEqual([["child:inner:ask", "May I?"]]);
    expect([...run.nodes].map(({ node, status }) => [node, status])).toEqual([
      ["child", "interrupted"],
      ["child:inner", "interrupted"],
      ["child:inner:ask", "interrupted"],
    ]);
  });

  test("questions that other input takes the place of are no longer open", async () => {
    const saver = new MemorySaver();
    const asked = fold((await runGraph("asks", { saver })).events);
    const { events } = await runGraph("asks", { saver, input: { n: 7 } });
    const run = foldRunEvents(continueStudioRun(asked), events);
    expect(run.interrupts).toHaveLength(2);
    expect(logOf(run)[3]).toBe("#2 left:cancelled quick:done right:cancelled");
    expect(run.nodes.get("left")).toMatchObject({ status: "interrupted", counts: { interrupted: 1, cancelled: 1 } });
  });

  test("a breakpoint shows the node behind it as waiting", async () => {
    const saver = new MemorySaver();
    const stopped = fold((await runGraph("nested", { saver, interruptBefore: ["child"] })).events);
    expect([stopped.next, waitsFor(stopped), stopped.nodes.get("child")?.status]).toEqual([
      ["child"],
      "breakpoint",
      "waiting",
    ]);
    const { events } = await runGraph("nested", { saver, input: null });
    const run = foldRunEvents(continueStudioRun(stopped), events);
    expect(run.nodes.get("child")).toMatchObject({ status: "done", counts: { done: 1 }, runs: 1 });
  });

  test("a node whose result came from a cache is done, and did not run", async () => {
    const cache = new InMemoryCache();
    await runGraph("cached", { cache });
    for (const modes of [STUDIO_MODES, ["debug", "updates"] as const, ["tasks", "updates"] as const]) {
      const run = fold((await runGraph("cached", { cache, modes: [...modes] })).events);
      expect(run.nodes.get("slow")).toMatchObject({ status: "done", runs: 0 });
      expect([...run.tasks].map(({ isCached }) => isCached)).toEqual([true, false]);
    }
  });
});

describe("edges taken", () => {
  const taken = async (name: GraphName, xray?: number) => {
    const drawing = await drawGraph(name, xray);
    const all = edgesTaken(drawing, fold(runs[name].events));
    for (const { index, source, target } of all) expect(drawing.edges[index]).toMatchObject({ source, target });
    return all.map(({ source, target, count, isNewest }) => `${source}>${target} ${count}${isNewest ? " newest" : ""}`);
  };

  test("lead through graphs within graphs, as far as they are drawn", async () => {
    expect((await taken("nested")).toSorted()).toEqual([
      "__start__>first 1",
      "child:after>__end__ 1 newest",
      "child:inner:deep>child:inner:deeper 1",
      "child:inner:deeper>child:after 1",
      "first>child:inner:deep 1",
    ]);
    expect((await taken("nested", 1)).toSorted()).toEqual([
      "__start__>first 1",
      "child:after>__end__ 1 newest",
      "child:inner>child:after 1",
      "first>child:inner 1",
    ]);
    expect((await taken("nested", 0)).toSorted()).toEqual([
      "__start__>first 1",
      "child>__end__ 1 newest",
      "first>child 1",
    ]);
  });

  test("count parallel tasks and loops", async () => {
    expect((await taken("fanOut")).toSorted()).toEqual(
      ["__start__>plan 1", "plan>work 20", "work>join 1", "join>__end__ 1 newest"].toSorted(),
    );
    expect((await taken("loop")).toSorted()).toEqual(["__start__>turn 1", "turn>__end__ 1 newest", "turn>turn 4"]);
  });

  test("come from nodes of earlier steps where a node waits for several", async () => {
    expect((await taken("joins")).toSorted()).toEqual([
      "__start__>long 1",
      "__start__>short 1",
      "both>__end__ 1 newest",
      "long>longer 1",
      "longer>both 1",
      "short>both 1",
    ]);
  });
});

/** The fold of real runs whose streams have other modes than those that the Studio asks for. */
import { InMemoryCache, MemorySaver } from "@langchain/langgraph-checkpoint";
import { describe, expect, test } from "vitest";
import { continueStudioRun } from "../../../lib/rules/studio/continue.ts";
import { endStudioRun, foldRunEvents } from "../../../lib/rules/studio/fold.ts";
import { pastRunsOf } from "../../../lib/rules/studio/history.ts";
import { beginStudioRun, type StudioRun } from "../../../lib/rules/studio/run.ts";
import { checkpointIdOf } from "../../../lib/rules/threads/read-state.ts";
import type { StreamMode } from "../../../lib/protocol/stream.ts";
import { logOf, newestTurn, tasksThatAre } from "./plain-run.ts";
import { type GraphName, graphs } from "./real-graphs.ts";
import { type RunSettings, runGraph, STUDIO_MODES } from "./real-runs.ts";
import { foldTold } from "./told.ts";

const names = Object.keys(graphs) as GraphName[];

async function foldReal(name: GraphName, settings: RunSettings = {}): Promise<StudioRun> {
  return foldRunEvents(beginStudioRun(), (await runGraph(name, settings)).events);
}

/** Returns nodes and statuses in order of their steps, without numbers and steps that have no tasks. */
const statusesOf = (run: StudioRun) =>
  logOf(run)
    .filter((line) => line.includes(" "))
    .map((line) => line.slice(line.indexOf(" ") + 1));
const changesOf = (run: StudioRun) => [...run.steps].map(({ key, difference }) => [key, difference]);
const messagesOf = (run: StudioRun) =>
  [...run.steps].flatMap(({ messages }) => [...messages].map(({ type, text }) => `${type}: ${text}`));
const ANSWER = ["ai: ", 'tool: {"expression":"17 * 3","result":"51"}', "ai: `17 * 3` = **51**"];

describe.each<[string, StreamMode[]]>([
  ["all modes at once", ["debug", "tasks", "checkpoints", "updates", "values", "messages-tuple", "custom"]],
  ["tasks and checkpoints", ["tasks", "checkpoints"]],
  ["tasks and values", ["tasks", "values"]],
  ["tasks alone", ["tasks"]],
])("%s", (_what, modes) => {
  test.each(names.filter((name) => name !== "joins"))(
    "tell the same statuses of %s as the Studio's modes do",
    async (name) => {
      const run = await foldReal(name, { modes });
      const known = statusesOf(await foldReal(name, { modes: STUDIO_MODES }));
      expect(statusesOf(run)).toEqual(known);
      expect([...run.tasks].filter(({ attempt }) => attempt !== 1)).toEqual([]);
    },
  );
});

test("states beside checkpoints are told once", async () => {
  const both = await foldReal("nested", { modes: ["tasks", "checkpoints", "values", "updates"] });
  const known = await foldReal("nested");
  const named = (run: StudioRun) => JSON.stringify(changesOf(run)).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id");
  expect(named(both)).toBe(named(known));
});

describe("updates", () => {
  test("beside tasks do not tell which of several tasks of a node is done", () => {
    const both = ["t1", "t2"].map((id) => ["tasks", { id, name: "a", input: {}, triggers: [] }] as const);
    const run = foldTold(...both, ["updates", { a: { n: 1 }, b: { n: 2 } }]);
    expect([...run.tasks].map(({ id, status }) => [id, status])).toEqual([
      ["t1", "running"],
      ["t2", "running"],
    ]);
    const cached = foldTold(...both, ["updates", { b: { n: 2 }, __metadata__: { cached: true } }]);
    expect(cached.tasks.size).toBe(2);
  });

  test("beside checkpoints tell what tasks wrote", async () => {
    const run = await foldReal("joins", { modes: ["checkpoints", "updates"] });
    expect(statusesOf(run)).toEqual(["long:done short:done", "longer:done", "both:done"]);
    expect([...run.tasks].map(({ result }) => Object.keys(result ?? {}))).toEqual(
      Array.from({ length: 4 }, () => ["n", "log"]),
    );
  });

  test("tell results from a cache", async () => {
    const cache = new InMemoryCache();
    await runGraph("cached", { cache });
    const run = await foldReal("cached", { cache, modes: ["updates"] });
    expect([...run.nodes].map(({ node, status, runs }) => [node, status, runs])).toEqual([
      ["slow", "done", 0],
      ["after", "done", 1],
    ]);
  });

  test("tell which nodes are done, each as a step, without a state after it", async () => {
    expect(statusesOf(await foldReal("chats", { modes: ["updates"] }))).toEqual([
      "agent:done",
      "tools:done",
      "agent:done",
    ]);
    expect(messagesOf(await foldReal("chats", { modes: ["updates"] }))).toEqual(ANSWER);
    const asked = await foldReal("asks", { modes: ["updates"] });
    expect(asked.interrupts.map(({ value }) => value)).toEqual([{ question: "left" }, { question: "right" }]);
  });

  test("with states tell which nodes share a step, and what it changed", async () => {
    const run = await foldReal("fanOut", { modes: ["values", "updates"], subgraphs: false });
    expect([...run.steps].map(({ tasks }) => tasks.length)).toEqual([0, 1, 20, 1]);
    expect([...run.steps].map(({ difference }) => difference?.map(({ kind }) => kind))).toEqual([
      ["added", "added"],
      ["changed", "appended"],
      ["appended"],
      ["changed", "appended"],
    ]);
    expect(run.nodes.get("work")).toMatchObject({ counts: { done: 20 }, runs: 20 });
    expect(run.moves.get('["plan","work"]')?.count).toBe(20);
  });

  test("end the tasks that tokens told of", async () => {
    const run = await foldReal("chats", { modes: ["values", "updates", "messages-tuple"], subgraphs: false });
    expect(logOf(run).slice(1)).toEqual(["#1 agent:done", "#2 tools:done", "#3 agent:done"]);
    expect(messagesOf(run)).toEqual(ANSWER);
    expect(run.nodes.get("agent")?.runs).toBe(2);
  });
});

describe("values", () => {
  test("tell what each step changed, and open questions", async () => {
    const run = await foldReal("asks", { modes: ["values"] });
    expect([...run.steps].map(({ difference }) => difference?.map(({ kind }) => kind))).toEqual([
      ["added", "added"],
      ["changed", "appended"],
      ["changed", "appended"],
    ]);
    expect(run.interrupts).toHaveLength(2);
    expect(run.tasks.size).toBe(0);
  });

  test("that only repeat a question are no step", () => {
    const run = foldTold(["values", { n: 1 }], ["values", { n: 1, __interrupt__: [{ id: "i1", value: 1 }] }]);
    expect(run.steps.size).toBe(1);
    expect(run.interrupts).toHaveLength(1);
  });
});

describe("messages", () => {
  test.each<[StreamMode]>([["messages"], ["messages-tuple"]])(
    "alone (%s) tell who wrote them, but not how that ended",
    async (mode) => {
      const run = await foldReal("chats", { modes: [mode] });
      expect(messagesOf(run).filter((text) => !text.startsWith("human"))).toEqual(ANSWER);
      expect(run.nodes.get("agent")).toMatchObject({ runs: 2, counts: { unknown: 2 } });
      expect(tasksThatAre(run, "done")).toEqual([]);
    },
  );

  test("that come after the whole message change nothing", () => {
    const piece = (content: string) => ["messages|a:t1", [{ id: "m1", type: "ai", content }, {}]] as const;
    const result = { id: "t1", name: "a", result: { messages: [{ id: "m1", type: "ai", content: "whole" }] } };
    const run = foldTold(piece("who"), ["tasks", result], piece("le"));
    expect(messagesOf(run)).toEqual(["ai: whole"]);
  });
});

describe("several runs of a thread", () => {
  test("one log goes on, and the history tells the same of each turn", async () => {
    const saver = new MemorySaver();
    const first = await runGraph("nested", { saver, run: "r1" });
    const second = await runGraph("nested", { saver, run: "r2", input: { n: 5 } });
    const run = foldRunEvents(continueStudioRun(foldRunEvents(beginStudioRun(), first.events)), second.events);
    const root = (one: StudioRun) => logOf(one).filter((line) => line.startsWith("#"));
    expect(root(run).slice(0, 4)).toEqual(["#-1", "#0", "#1 first:done", "#2 child:done"]);
    expect(root(run).slice(4)).toEqual(["#3", "#4", "#5 first:done", "#6 child:done"]);
    const kept = newestTurn(second.history);
    expect(logOf(kept)).toEqual(root(run).slice(4));
    expect(kept.nodes.get("first")?.counts).toEqual({ done: 1 });
    const before = pastRunsOf(second.history).runAt(checkpointIdOf(first.history[0]?.checkpoint) ?? "");
    expect(before && logOf(before)).toEqual(root(run).slice(0, 4));
    const alone = foldRunEvents(beginStudioRun(), second.events);
    expect(root(alone)).toEqual(root(run).slice(4));
    expect(alone.moves.get('["__start__","first"]')?.count).toBe(1);
  });

  test("a fork has steps of its own, and its history leads through the states before it", async () => {
    const saver = new MemorySaver();
    const first = await runGraph("loop", { saver });
    const at =
      checkpointIdOf(
        first.history.find(({ metadata }) => (metadata as { step?: number } | null)?.step === 2)?.checkpoint,
      ) ?? "";
    const fork = await runGraph("loop", { saver, input: null, checkpoint: at });
    const run = foldRunEvents(continueStudioRun(foldRunEvents(beginStudioRun(), first.events)), fork.events);
    const steps = [...run.steps].map(({ key, source, tasks }) => `${key} ${source} ${tasks.length}`);
    expect(steps.slice(0, 7)).toEqual([
      "#-1 input 0",
      "#0 loop 0",
      ...["#1", "#2", "#3", "#4", "#5"].map((key) => `${key} loop 1`),
    ]);
    expect(steps.slice(7)).toEqual(["#3/1 fork 0", ...["#4/1", "#5/1", "#6/1"].map((key) => `${key} loop 1`)]);
    expect(run.nodes.get("turn")?.counts).toEqual({ done: 8 });
    const kept = newestTurn(fork.history);
    expect([...kept.steps].map(({ step, source }) => `${step} ${source}`)).toEqual([
      "-1 input",
      "0 loop",
      "1 loop",
      "2 loop",
      "3 fork",
      "4 loop",
      "5 loop",
      "6 loop",
    ]);
    expect(kept.nodes.get("turn")).toMatchObject({ counts: { done: 5 }, status: "done" });
    const before = pastRunsOf(fork.history).runAt(checkpointIdOf(first.history[0]?.checkpoint) ?? "");
    expect(before && logOf(before)).toHaveLength(7);
  });

  test("a run that goes on in the midst does not tell from where it was reached", async () => {
    const saver = new MemorySaver();
    await runGraph("nested", { saver, interruptBefore: ["child"] });
    const run = endStudioRun(await foldReal("nested", { saver, input: null }), "success");
    expect(run.moves.get('["__start__","child"]')).toBeUndefined();
    expect(run.moves.get('["child","__end__"]')?.count).toBe(1);
  });
});

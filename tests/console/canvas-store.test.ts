import { expect, test, vi } from "vitest";
import { createCanvasStore } from "../../app/(console)/_studio/canvas/canvas-store.ts";
import type { Box } from "../../lib/rules/graphs/layout.ts";
import type { CanvasRun, NodeRun } from "../../lib/rules/studio/canvas-run.ts";
import { nodeLabel, runLine } from "../../app/(console)/_studio/canvas/node-words.ts";
import { edgeKey } from "../../lib/rules/graphs/edge-key.ts";

const NONE = { before: new Set<string>(), after: new Set<string>() };
const runOf = (nodes: Record<string, NodeRun>, edges: CanvasRun["edges"] = new Map()): CanvasRun => ({
  nodes: new Map(Object.entries(nodes)),
  edges,
  untold: new Set(),
});
const arrow = (source: string, target: string) => ({ id: edgeKey(source, target), source, target });
const idle = { run: undefined, selected: undefined, breakpoints: NONE, search: "" };

test("only the view of a node that changed is another object", () => {
  const store = createCanvasStore();
  store.set({ ...idle, run: runOf({ a: { status: "done", count: 1 }, b: { status: "running", count: 1 } }) });
  const [a, b] = [store.nodeView("a", "a"), store.nodeView("b", "b")];
  store.set({ ...idle, run: runOf({ a: { status: "done", count: 1 }, b: { status: "done", count: 1 } }) });
  expect(store.nodeView("a", "a")).toBe(a);
  expect(store.nodeView("b", "b")).not.toBe(b);
  expect(store.nodeView("b", "b").run?.status).toBe("done");
});

test.each([
  ["count", { count: 2 }],
  ["runningCount", { runningCount: 1 }],
  ["durationMs", { durationMs: 5 }],
])("a change of %s is a change of the view", (_, change) => {
  const store = createCanvasStore();
  const node: NodeRun = { status: "running", count: 1 };
  store.set({ ...idle, run: runOf({ a: node }) });
  const before = store.nodeView("a", "a");
  store.set({ ...idle, run: runOf({ a: { ...node, ...change } }) });
  expect(store.nodeView("a", "a")).not.toBe(before);
});

test("selection, breakpoints and search belong to the nodes that they name", () => {
  const store = createCanvasStore();
  store.set({
    ...idle,
    selected: "a",
    breakpoints: { before: new Set(["a"]), after: new Set(["b"]) },
    search: "CALL",
  });
  expect(store.nodeView("a", "call model")).toEqual({
    run: undefined,
    selected: true,
    before: true,
    after: false,
    dimmed: false,
  });
  expect(store.nodeView("b", "tools")).toMatchObject({ selected: false, before: false, after: true, dimmed: true });
});

test("those whose view changed are told until they leave", () => {
  const store = createCanvasStore();
  const [told, other] = [vi.fn<() => void>(), vi.fn<() => void>()];
  const leave = store.subscribe(() => store.edgeView(arrow("a", "b")), told);
  store.subscribe(() => store.edgeView(arrow("b", "a")), other);
  store.set({ ...idle, run: runOf({}, new Map([[edgeKey("a", "b"), "newest"]])) });
  expect(store.edgeView(arrow("a", "b"))).toBe("newest");
  expect(store.edgeView(arrow("b", "a"))).toBeUndefined();
  store.set({ ...idle, run: runOf({}, new Map([[edgeKey("a", "b"), "newest"]])) });
  leave();
  store.set(idle);
  expect(told).toHaveBeenCalledTimes(1);
  expect(other).not.toHaveBeenCalled();
});

test("what a run reaches is told before the nodes that it left, however many", () => {
  const frames: (() => void)[] = [];
  const store = createCanvasStore((callback) => frames.push(callback));
  const names = Array.from({ length: 500 }, (_, at) => `n${at}`);
  store.set({ ...idle, run: runOf(Object.fromEntries(names.map((name) => [name, { status: "done", count: 1 }]))) });
  const told: string[] = [];
  for (const name of names)
    store.subscribe(
      () => store.nodeView(name, name),
      () => told.push(name),
    );
  store.set(idle);
  expect(told.length).toBeLessThan(names.length / 2);
  store.set({ ...idle, run: runOf({ n499: { status: "running", count: 1 } }) });
  frames.shift()?.();
  expect(told).toContain("n499");
  while (frames.length > 0) frames.shift()?.();
  expect(told.toSorted()).toEqual(names.toSorted());
});

test("edges at the ends of a subgraph are known from its nodes", () => {
  const store = createCanvasStore();
  const done: NodeRun = { status: "done", count: 1 };
  const views = () =>
    [
      ["s:__start__", "s:a"],
      ["s:__start__", "s:b"],
      ["s:a", "s:__end__"],
    ].map(([source = "", target = ""]) => store.edgeView(arrow(source, target)));
  store.set({ ...idle, run: runOf({ s: { status: "running", count: 1 }, "s:a": done }) });
  expect(views()).toEqual(["taken", undefined, undefined]);
  store.set({ ...idle, run: runOf({ s: done, "s:a": done, "s:b": { status: "waiting", count: 0 } }) });
  expect(views()).toEqual(["taken", undefined, "taken"]);
});

test("nodes of a subgraph that ran are unknown if nothing was told of it", () => {
  const store = createCanvasStore();
  const run = runOf({ s: { status: "done", count: 1 } });
  store.set({ ...idle, run: { ...run, untold: new Set(["s"]) } });
  expect(store.nodeView("s:a:b", "b").run?.status).toBe("unknown");
  expect(store.nodeView("s", "s").run?.status).toBe("done");
  store.set({ ...idle, run });
  expect(store.nodeView("s:a:b", "b").run).toBeUndefined();
});

test("the second line has the status in words where there is nothing else to tell", () => {
  expect(runLine({ status: "waiting", count: 0 })).toBe("waiting");
  expect(runLine({ status: "done", count: 1, durationMs: 1400 })).toBe("1.4 s");
  expect(runLine({ status: "running", count: 20, runningCount: 3 })).toBe("3 running");
});

test("a node's label tells all that is seen", () => {
  const view = { selected: false, dimmed: false, before: true, after: false };
  const run: NodeRun = { status: "running", count: 2, durationMs: 300 };
  expect(nodeLabel({ label: "tools", kind: "step" }, { ...view, run })).toBe(
    "tools, running, 2 times, 300 ms, breakpoint before",
  );
  expect(nodeLabel({ label: "child", kind: "subgraph" }, { ...view, before: false, run: undefined })).toBe(
    "child, closed subgraph",
  );
});

const boxOf = (id: string): Box => {
  const kind = id === "__start__" ? "start" : "step";
  return { id, label: id, kind, x: 0, y: 0, width: 1, height: 1 };
};

test("Tab goes to one node: the one selected or focused last, the closed subgraph around it, or the first", () => {
  const store = createCanvasStore();
  const boxes = (...ids: string[]) => ids.map(boxOf);
  expect(store.tabStop.path()).toBeUndefined();
  store.tabStop.draw({ boxes: boxes("__start__", "a", "b", "b:c") });
  expect(store.tabStop.path()).toBe("a");
  store.set({ ...idle, selected: "b" });
  expect(store.tabStop.path()).toBe("b");
  store.set(idle);
  expect(store.tabStop.path()).toBe("b");
  store.tabStop.visit("b:c");
  expect(store.tabStop.path()).toBe("b:c");
  store.tabStop.draw({ boxes: boxes("__start__", "a", "b") });
  expect(store.tabStop.path()).toBe("b");
  store.tabStop.draw({ boxes: boxes("__start__", "x") });
  expect(store.tabStop.path()).toBe("x");
});

test("whether the node that Tab goes to is in the page stays true while another one takes its place", () => {
  const store = createCanvasStore();
  expect(store.tabStop.isShown()).toBe(true);
  store.tabStop.draw({ boxes: [boxOf("a")] });
  expect(store.tabStop.isShown()).toBe(false);
  const hideFirst = store.tabStop.show();
  const hideSecond = store.tabStop.show();
  hideFirst();
  expect(store.tabStop.isShown()).toBe(true);
  hideSecond();
  expect(store.tabStop.isShown()).toBe(false);
});

import { describe, expect, test } from "vitest";
import { edgeKey } from "../../../lib/rules/graphs/edge-key.ts";
import { canvasRunOf } from "../../../lib/rules/studio/canvas-run.ts";
import { continueStudioRun } from "../../../lib/rules/studio/continue.ts";
import { endStudioRun, foldRunEvents } from "../../../lib/rules/studio/fold.ts";
import { pastRunsOf } from "../../../lib/rules/studio/history.ts";
import { beginStudioRun } from "../../../lib/rules/studio/run.ts";
import { checkpointIdOf } from "../../../lib/rules/threads/read-state.ts";
import { runGraph } from "./real-runs.ts";

const canvasOf = async (name: Parameters<typeof runGraph>[0]) =>
  canvasRunOf(foldRunEvents(beginStudioRun(), (await runGraph(name)).events));

describe("what the canvas shows of a run", () => {
  test("nodes of subgraphs have the names of the drawing, and edges end at the subgraphs", async () => {
    const { nodes, edges } = await canvasOf("nested");
    expect(nodes.get("child:inner:deep")).toMatchObject({ status: "done", count: 1 });
    const taken = [
      ["__start__", "first"],
      ["first", "child"],
      ["child:__start__", "child:inner"],
      ["child:inner:__start__", "child:inner:deep"],
      ["child:inner:deep", "child:inner:deeper"],
      ["child:inner:deeper", "child:inner:__end__"],
      ["child:inner", "child:after"],
      ["child:after", "child:__end__"],
      ["child", "__end__"],
    ].map(([source = "", target = ""]) => edgeKey(source, target));
    expect([...edges.keys()].toSorted()).toEqual(taken.toSorted());
  });

  test("parallel tasks of one node are counted, and their edge is taken once", async () => {
    const { nodes, edges } = await canvasOf("fanOut");
    expect(nodes.get("work")).toMatchObject({ status: "done", count: 20 });
    expect(edges.get(edgeKey("plan", "work"))).toBe("taken");
  });

  test("the edges taken last are the newest, and a run that waits has not reached the end", async () => {
    const { nodes, edges } = await canvasOf("asks");
    expect([...edges.values()]).toContain("newest");
    expect(nodes.has("__start__")).toBe(true);
    expect(nodes.has("__end__")).toBe(false);
  });

  test("no edge of an earlier run is the newest, and a graph that was told nothing of is named", async () => {
    const { events } = await runGraph("nested", { interruptBefore: ["child"] });
    const before = foldRunEvents(beginStudioRun(), events);
    const { edges, untold } = canvasRunOf(continueStudioRun(before));
    expect([...edges.values()]).toEqual(["taken", "taken"]);
    expect([...untold]).toEqual(["first"]);
    const { untold: told } = await canvasOf("nested");
    expect(told.has("child")).toBe(false);
    expect(told.has("child:inner:deep")).toBe(true);
  });

  test("a run that waits for an answer has not reached the end, whatever it told", () => {
    const events = [{ id: 0, event: "values", data: { text: "a", __interrupt__: [{ id: "i", value: "sure?" }] } }];
    const run = endStudioRun(foldRunEvents(beginStudioRun(), events), "success");
    expect(canvasRunOf(run).nodes.has("__end__")).toBe(false);
  });

  test("at the first checkpoint of a turn nothing is done, and nothing has failed", async () => {
    const { history } = await runGraph("nested");
    const { runAt } = pastRunsOf(history);
    const first = runAt(checkpointIdOf(history.at(-1)?.checkpoint) ?? "");
    expect(first).toMatchObject({ status: "unknown", next: ["__start__"] });
    expect(first && canvasRunOf(first).nodes.size).toBe(0);
    const last = runAt(checkpointIdOf(history[0]?.checkpoint) ?? "");
    expect(last && canvasRunOf(last).nodes.get("__end__")).toMatchObject({ status: "done" });
  });
});

import { describe, expect, test } from "vitest";
import { edgeKey } from "../../../lib/rules/graphs/edge-key.ts";
import { canvasRunOf } from "../../../lib/rules/studio/canvas-run.ts";
import { foldRunEvents } from "../../../lib/rules/studio/fold.ts";
import { beginStudioRun } from "../../../lib/rules/studio/run.ts";
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
});

import { expect, test } from "vitest";
import { knownNodes } from "../../../lib/rules/graphs/known-nodes.ts";

const drawing = (...ids: string[]) => ({ nodes: ids.map((id) => ({ id, data: {} })), edges: [] });

test("a graph has its nodes, the subgraphs around them, and ends", () => {
  const isKnown = knownNodes(drawing("before", "child:inner:read", "__start__"), drawing("before", "child"));
  for (const path of ["before", "child", "child:inner", "child:inner:read", "__end__", "child:__start__"])
    expect(isKnown(path)).toBe(true);
  for (const path of ["after", "read", "inner", "child:inner:write", "before:read"]) expect(isKnown(path)).toBe(false);
});

test("without a drawing every node counts as known", () => {
  expect(knownNodes(undefined, undefined)("anything")).toBe(true);
});

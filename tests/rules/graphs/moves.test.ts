import fc from "fast-check";
import { expect, test } from "vitest";
import type { GraphDrawing } from "../../../lib/protocol/assistants.ts";
import { levelsOf } from "../../../lib/rules/graphs/levels.ts";
import { type Direction, moveTo } from "../../../lib/rules/graphs/moves.ts";
import { layoutNested, subgraphPaths } from "../../../lib/rules/graphs/nested.ts";

const drawn = (nodes: readonly string[], edges: readonly (readonly [string, string])[]): GraphDrawing => ({
  nodes: nodes.map((id) => ({ id, data: {} })),
  edges: edges.map(([source, target]) => ({ source, target })),
});
const opened = (drawing: GraphDrawing) => layoutNested(drawing, new Set(subgraphPaths(levelsOf(drawing))));

const id = fc.constantFrom("a", "b", "c", "d", "a:x", "a:y", "a:x:z", "__start__", "__end__", "e");
const layouts = fc
  .record({ nodes: fc.uniqueArray(id, { minLength: 1 }), edges: fc.array(fc.tuple(id, id), { maxLength: 14 }) })
  .map(({ nodes, edges }) => opened(drawn(nodes, edges)));
const direction = fc.constantFrom<Direction>("up", "down", "left", "right", "first", "last");

test("a move ends at another node in its direction, or nowhere", () => {
  fc.assert(
    fc.property(layouts, id, direction, (layout, from, way) => {
      const at = layout.boxes.find((box) => box.id === from && box.kind !== "start" && box.kind !== "end");
      const to = moveTo(layout, from, way);
      if (!to) return;
      expect(layout.boxes).toContain(to);
      expect(["start", "end"]).not.toContain(to.kind);
      if (!at || way === "first" || way === "last") return;
      expect(to).not.toBe(at);
      if (way === "down") expect(to.y).toBeGreaterThan(at.y);
      if (way === "up") expect(to.y).toBeLessThan(at.y);
      const sideways = way === "left" || way === "right";
      if (sideways) expect(to.id.startsWith(`${at.id}:`) || at.id.startsWith(`${to.id}:`)).toBe(false);
      if (way === "left") expect(to.x + to.width / 2).toBeLessThan(at.x + at.width / 2);
      if (way === "right") expect(to.x + to.width / 2).toBeGreaterThan(at.x + at.width / 2);
    }),
  );
});

test("a move up or down is always possible while there is a node above or below", () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      const nodes = layout.boxes.filter((box) => box.kind !== "start" && box.kind !== "end");
      for (const at of nodes) {
        expect(moveTo(layout, at.id, "down") !== undefined).toBe(nodes.some((box) => box.y > at.y));
        expect(moveTo(layout, at.id, "up") !== undefined).toBe(nodes.some((box) => box.y < at.y));
      }
    }),
  );
});

const chain = opened(
  drawn(
    ["__start__", "before", "child:one", "child:two", "after", "aside", "__end__"],
    [
      ["__start__", "before"],
      ["before", "child:one"],
      ["child:one", "child:two"],
      ["child:two", "after"],
      ["before", "aside"],
      ["after", "__end__"],
    ],
  ),
);
const path = (from: string | undefined, ...ways: Direction[]): string[] => {
  const seen: string[] = [];
  let at = from;
  for (const way of ways) {
    at = moveTo(chain, at, way)?.id ?? at;
    seen.push(at ?? "");
  }
  return seen;
};

test("arrow keys follow edges into a subgraph and out of it", () => {
  expect(path("before", "down")).toContain("child");
  expect(path("child", "down", "down", "down")).toEqual(["child:one", "child:two", "after"]);
  expect(path("after", "up", "up")).toEqual(["child", "before"]);
  expect(path("child:two", "up", "up")).toEqual(["child:one", "child"]);
});

test("without a node, every direction begins at the first; Home and End go to the ends", () => {
  expect(path(undefined, "down")).toEqual(["before"]);
  expect(path("unknown", "left")).toEqual(["before"]);
  expect(path("child", "last", "first")).toEqual(["after", "before"]);
});

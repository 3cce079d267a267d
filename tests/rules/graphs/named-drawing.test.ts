import { expect, test } from "vitest";
import { isUnnamed, namedDrawing } from "../../../lib/rules/graphs/named-drawing.ts";

test("the drawing of a function has its name between start and end", () => {
  const drawing = {
    nodes: [
      { id: 0, type: "schema", data: { title: "add upInput" } },
      { id: 1, type: "runnable", data: { name: "add up" } },
      { id: 2, type: "schema", data: { title: "add upOutput" } },
    ],
    edges: [
      { source: 0, target: 1 },
      { source: 1, target: 2 },
    ],
  };
  expect(isUnnamed(drawing)).toBe(true);
  const named = namedDrawing(drawing);
  expect(named.nodes.map(({ id }) => id)).toEqual(["__start__", "add up", "__end__"]);
  expect(named.edges).toEqual([
    { source: "__start__", target: "add up" },
    { source: "add up", target: "__end__" },
  ]);
});

test("nodes of one name keep their numbers, and no edge loses its ends", () => {
  const nodes = [0, 1, 2].map((id) => ({ id, type: "runnable", data: { name: "same" } }));
  const { nodes: named, edges } = namedDrawing({ nodes, edges: [{ source: 0, target: 2 }] });
  expect(named.map(({ id }) => id)).toEqual(["same", 1, 2]);
  expect(edges).toEqual([{ source: "same", target: 2 }]);
});

test("the drawing of a graph stays as it is", () => {
  const drawing = {
    nodes: [
      { id: "__start__", type: "schema", data: {} },
      { id: "a", data: {} },
    ],
    edges: [],
  };
  expect(isUnnamed(drawing)).toBe(false);
  expect(namedDrawing(drawing)).toBe(drawing);
});

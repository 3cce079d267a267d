import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GraphDrawing } from "../../../lib/protocol/assistants.ts";
import { layoutGraph, whyNotPlaced } from "../../../lib/rules/graphs/layout.ts";
import { isOnBorder, overlap } from "../../support/geometry.ts";
import { pathThrough } from "../../../lib/rules/graphs/line-path.ts";

const name = fc.oneof(
  fc.constantFrom("__start__", "__end__", "__proto__", "constructor", "tools", "a", "b", "c", "d"),
  fc.string({ minLength: 1, maxLength: 60 }),
);

const drawing: fc.Arbitrary<GraphDrawing> = fc.uniqueArray(name, { minLength: 1, maxLength: 9 }).chain((names) => {
  const end = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: name });
  const edge = fc.record(
    { source: end, target: end, conditional: fc.boolean(), data: fc.option(fc.string({ maxLength: 20 })) },
    { requiredKeys: ["source", "target"] },
  );
  return fc.record({
    nodes: fc.constant(names.map((id) => ({ id, type: "runnable", data: { name: id } }))),
    edges: fc.array(edge, { maxLength: 18 }),
  });
});

test("a drawing of more than 100 nodes is not placed", () => {
  const drawingOf = (count: number) => ({
    nodes: Array.from({ length: count }, (_, id) => ({ id, data: {} })),
    edges: [],
  });
  expect(whyNotPlaced(drawingOf(100))).toBeUndefined();
  expect(whyNotPlaced(drawingOf(101))).toContain("101 nodes");
});

describe("layout of a graph", () => {
  test("no two boxes overlap and all lie within the picture", () => {
    fc.assert(
      fc.property(drawing, (given) => {
        const { boxes, width, height } = layoutGraph(given);
        expect(boxes.map((box) => box.id)).toEqual(given.nodes.map((node) => node.id));
        for (const [index, box] of boxes.entries()) {
          expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height).toBe(true);
          for (const other of boxes.slice(index + 1)) expect(overlap(box, other)).toBe(false);
        }
      }),
    );
  });

  test("every edge between known nodes is drawn, from the border of its source to the border of its target", () => {
    fc.assert(
      fc.property(drawing, (given) => {
        const { boxes, arrows } = layoutGraph(given);
        const byId = new Map(boxes.map((box) => [box.id, box]));
        const known = given.edges.filter(({ source, target }) => byId.has(`${source}`) && byId.has(`${target}`));
        expect(arrows.map(({ source, target }) => [source, target])).toEqual(
          known.map(({ source, target }) => [source, target]),
        );
        for (const { points, source, target } of arrows) {
          expect(isOnBorder(points[0], byId.get(source))).toBe(true);
          expect(isOnBorder(points.at(-1), byId.get(target))).toBe(true);
        }
      }),
    );
  });

  test("the same drawing always gives the same layout", () => {
    fc.assert(
      fc.property(drawing, (given) => {
        expect(layoutGraph(structuredClone(given))).toEqual(layoutGraph(given));
      }),
    );
  });

  test("a loop between two nodes is two arrows at least 20 px apart", () => {
    const { arrows } = layoutGraph({
      nodes: ["__start__", "agent", "tools", "__end__"].map((id) => ({ id, type: "runnable", data: { name: id } })),
      edges: [
        { source: "__start__", target: "agent" },
        { source: "agent", target: "tools", conditional: true, data: "continue" },
        { source: "agent", target: "__end__", conditional: true },
        { source: "tools", target: "agent" },
      ],
    });
    const there = arrows.find((arrow) => arrow.target === "tools");
    const back = arrows.find((arrow) => arrow.source === "tools");
    expect(there?.label).toBe("continue");
    expect(Math.abs((there?.labelAt.x ?? 0) - (back?.labelAt.x ?? 0))).toBeGreaterThan(20);
  });

  test("start and end are named without underscores, steps by their name", () => {
    const { boxes } = layoutGraph({
      nodes: [
        { id: "__start__", type: "schema", data: "__start__" },
        { id: "a", type: "runnable", data: { name: "Ask" } },
        { id: "__end__", type: "schema", data: {} },
      ],
      edges: [],
    });
    expect(boxes.map((box) => [box.kind, box.label])).toEqual([
      ["start", "start"],
      ["step", "Ask"],
      ["end", "end"],
    ]);
  });
});

describe("path through points", () => {
  const coordinate = fc.double({ min: -1000, max: 1000, noNaN: true }).map((value) => Math.round(value * 10) / 10 + 0);
  const point = fc.record({ x: coordinate, y: coordinate });

  test("it starts at the first point and ends at the last", () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 2, maxLength: 8 }), (points) => {
        const path = pathThrough(points);
        const [first, last] = [points[0], points.at(-1)];
        expect(path.startsWith(`M${first?.x},${first?.y}L`)).toBe(true);
        expect(path.endsWith(`L${last?.x},${last?.y}`)).toBe(true);
        expect(path).not.toContain("NaN");
      }),
    );
  });

  test("fewer than two points are no path", () => {
    expect(pathThrough([])).toBe("");
    expect(pathThrough([{ x: 1, y: 2 }])).toBe("");
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { placeInLayers } from "../../../lib/rules/graphs/layered.ts";
import type { Placed, Size, Wire } from "../../../lib/rules/graphs/placed.ts";
import { placeWithDagre } from "../../../lib/rules/graphs/with-dagre.ts";
import { isOnBorder, lies, overlap } from "../../support/geometry.ts";

interface Given {
  boxes: Size[];
  wires: Wire[];
}

const size = fc.record({ width: fc.integer({ min: 8, max: 280 }), height: fc.constantFrom(12, 34, 60, 400) });

const graphOf = (most: number): fc.Arbitrary<Given> =>
  fc.array(size, { minLength: 1, maxLength: most }).chain((boxes) => {
    const end = fc.integer({ min: 0, max: boxes.length - 1 });
    const wire = fc.record(
      { from: end, to: end, label: fc.string({ maxLength: 20 }) },
      { requiredKeys: ["from", "to"] },
    );
    return fc.record({ boxes: fc.constant(boxes), wires: fc.array(wire, { maxLength: most * 2 }) });
  });

const rectangles = ({ boxes }: Given, { corners }: Placed) =>
  boxes.map((box, index) => ({ x: NaN, y: NaN, ...box, ...corners[index] }));

const LAYOUTS = [
  { name: "dagre", place: placeWithDagre, given: graphOf(8) },
  { name: "layers", place: placeInLayers, given: graphOf(8) },
  { name: "layers of many nodes", place: placeInLayers, given: graphOf(120) },
];

describe.each(LAYOUTS)("a layout by $name", ({ place, given }) => {
  const check = (law: (graph: Given) => void) =>
    fc.assert(
      fc.property(given, (graph) => {
        law(graph);
      }),
      { numRuns: 60 },
    );

  test("has no two boxes that overlap, and all within its size", () => {
    check((graph) => {
      const placed = place(graph.boxes, graph.wires);
      const all = rectangles(graph, placed);
      for (const [index, box] of all.entries()) {
        expect(lies(box, { x: -0.2, y: -0.2, width: placed.width + 0.4, height: placed.height + 0.4 })).toBe(true);
        for (const other of all.slice(index + 1)) expect(overlap(box, other)).toBe(false);
      }
    });
  });

  test("has a line for each wire, from the border of its first box to the border of its second", () => {
    check((graph) => {
      const placed = place(graph.boxes, graph.wires);
      const all = rectangles(graph, placed);
      expect(placed.lines).toHaveLength(graph.wires.length);
      for (const [index, { from, to }] of graph.wires.entries()) {
        const { points, labelAt } = placed.lines[index] ?? { points: [], labelAt: { x: NaN, y: NaN } };
        expect(isOnBorder(points[0], all[from])).toBe(true);
        expect(isOnBorder(points.at(-1), all[to])).toBe(true);
        for (const { x, y } of [...points, labelAt]) expect(Number.isFinite(x) && Number.isFinite(y)).toBe(true);
      }
    });
  });

  test("draws loops beside their boxes, where no other box is", () => {
    check((graph) => {
      const placed = place(graph.boxes, graph.wires);
      const all = rectangles(graph, placed);
      for (const [index, { from, to }] of graph.wires.entries()) {
        if (from !== to) continue;
        for (const { x, y } of placed.lines[index]?.points ?? []) {
          const touched = all.filter((box) => overlap({ x: x - 0.1, y: y - 0.1, width: 0.2, height: 0.2 }, box));
          expect(touched.every((box) => box === all[from])).toBe(true);
        }
      }
    });
  });

  test("is the same for the same graph", () => {
    check(({ boxes, wires }) => {
      expect(place(boxes, wires)).toEqual(place(structuredClone(boxes), wires));
    });
  });
});

describe("a layout by layers", () => {
  const box = { width: 100, height: 40 };

  test("leads from top to bottom, also along the longer way", () => {
    const wires = [
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 0, to: 2 },
      { from: 2, to: 3 },
    ];
    const { corners } = placeInLayers([box, box, box, box], wires);
    const heights = corners.map(({ y }) => y);
    expect(heights).toEqual(heights.toSorted((a, b) => a - b));
    expect(new Set(heights).size).toBe(4);
  });

  test("draws there and back side by side", () => {
    const { lines } = placeInLayers(
      [box, box],
      [
        { from: 0, to: 1 },
        { from: 1, to: 0 },
      ],
    );
    expect(Math.abs((lines[0]?.points[0]?.x ?? 0) - (lines[1]?.points.at(-1)?.x ?? 0))).toBeGreaterThanOrEqual(20);
  });

  test("takes a long edge past the boxes between its ends", () => {
    const boxes = Array.from({ length: 12 }, () => box);
    const wires = [...boxes.slice(1).map((_, index) => ({ from: index, to: index + 1 })), { from: 0, to: 11 }];
    const { corners, lines } = placeInLayers(boxes, wires);
    const between = corners.slice(1, -1).map((corner) => ({ ...corner, ...box }));
    const points = lines.at(-1)?.points ?? [];
    for (const [index, from] of points.slice(0, -1).entries()) {
      const to = points[index + 1] ?? from;
      for (let share = 0; share <= 1; share += 0.02) {
        const at = { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
        for (const one of between) expect(overlap({ ...at, width: 0.1, height: 0.1 }, one)).toBe(false);
      }
    }
    // The chain itself is not drawn aside.
    const across = corners.map(({ x }) => x);
    expect(Math.max(...across) - Math.min(...across)).toBeLessThan(4);
  });

  test("puts a node that nothing leads to right above the one that it leads to", () => {
    const wires = [
      { from: 0, to: 1 },
      { from: 1, to: 2 },
      { from: 3, to: 2 },
    ];
    const { corners } = placeInLayers([box, box, box, box], wires);
    expect(corners[3]?.y).toBe(corners[1]?.y);
  });

  test("orders siblings so that their edges do not cross", () => {
    // Two parents, whose children are listed in alternating order.
    const wires = [2, 3, 4, 5].map((to) => ({ from: to % 2, to })).toReversed();
    const { corners } = placeInLayers(
      Array.from({ length: 6 }, () => box),
      wires,
    );
    const x = (index: number) => corners[index]?.x ?? NaN;
    const left = x(0) < x(1) ? [2, 4] : [3, 5];
    const right = x(0) < x(1) ? [3, 5] : [2, 4];
    expect(Math.max(...left.map(x))).toBeLessThan(Math.min(...right.map(x)));
  });
});

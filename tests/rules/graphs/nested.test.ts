import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { GraphDrawing } from "../../../lib/protocol/assistants.ts";
import { edgeKey } from "../../../lib/rules/graphs/edge-key.ts";
import type { Box, GraphLayout } from "../../../lib/rules/graphs/layout.ts";
import { levelsOf } from "../../../lib/rules/graphs/levels.ts";
import { layoutNested, subgraphPaths } from "../../../lib/rules/graphs/nested.ts";
import { isOnBorder, lies, overlap } from "../../support/geometry.ts";

const drawn = (ids: readonly string[], edges: readonly (readonly [string, string, string?])[]): GraphDrawing => ({
  nodes: ids.map((id) => ({ id, type: "runnable", data: { name: id } })),
  edges: edges.map(([source, target, data]) => ({ source, target, conditional: data !== undefined, data })),
});

/** A graph with subgraphs two deep, as LangGraph 1.4 draws it with xray. */
const nested = drawn(
  [
    "__start__",
    "before",
    "child:__start__",
    "child:plan",
    "child:inner:read",
    "child:inner:write",
    "child:check",
    "child:__end__",
    "after",
    "__end__",
  ],
  [
    ["child:inner:read", "child:inner:write", "more"],
    ["child:__start__", "child:plan"],
    ["child:inner:write", "child:check"],
    ["child:plan", "child:inner:read"],
    ["child:check", "child:plan", "again"],
    ["child:check", "child:__end__", "good"],
    ["__start__", "before"],
    ["after", "__end__"],
    ["before", "child:__start__"],
    ["child:__end__", "after"],
  ],
);

const segment = fc.constantFrom("a", "b", "c", "__start__", "__end__", "__proto__", "constructor", "", '"subgraph"');
const id = fc.oneof(
  { weight: 8, arbitrary: fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(":")) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 9 }) },
  { weight: 1, arbitrary: fc.constant("deep:".repeat(40)) },
);
const drawing: fc.Arbitrary<GraphDrawing> = fc.array(id, { maxLength: 14 }).chain((ids) => {
  const end = ids.length === 0 ? id : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ids) }, id);
  const edge = fc.record(
    { source: end, target: end, conditional: fc.boolean(), data: fc.option(fc.string({ maxLength: 20 })) },
    { requiredKeys: ["source", "target"] },
  );
  return fc.record({
    nodes: fc.constant(ids.map((one) => ({ id: one, data: {} }))),
    edges: fc.array(edge, { maxLength: 18 }),
  });
});
/** A drawing, perhaps its outline, and which subgraphs are open. */
const opened = fc
  .record({ given: drawing, outline: fc.option(drawing, { nil: undefined }), all: fc.boolean(), some: fc.nat(255) })
  .map(({ given, outline, all, some }) => {
    const paths = subgraphPaths(levelsOf(given, outline));
    return { given, outline, open: new Set(paths.filter((_, index) => all || (some >> index) % 2 === 1)) };
  });

const byId = ({ boxes }: GraphLayout) => new Map(boxes.map((box) => [box.id, box]));

function containersOf(box: Box, boxes: ReadonlyMap<string, Box>): string[] {
  const parent = box.parent === undefined ? undefined : boxes.get(box.parent);
  return parent ? [parent.id, ...containersOf(parent, boxes)] : [];
}

function check(law: (layout: GraphLayout) => void): void {
  fc.assert(
    fc.property(opened, ({ given, outline, open }) => {
      law(layoutNested(given, open, outline));
    }),
    { numRuns: 300 },
  );
}

describe("layout with subgraphs", () => {
  test("boxes overlap only where one contains the other", () => {
    check((layout) => {
      const boxes = byId(layout);
      for (const [index, box] of layout.boxes.entries()) {
        expect(lies(box, { x: 0, y: 0, width: layout.width, height: layout.height })).toBe(true);
        for (const other of layout.boxes.slice(index + 1)) {
          const within = containersOf(other, boxes).includes(box.id) || containersOf(box, boxes).includes(other.id);
          expect(overlap(box, other)).toBe(within);
        }
      }
    });
  });

  test("a box lies inside of its container, below the container's name", () => {
    check((layout) => {
      const boxes = byId(layout);
      for (const box of layout.boxes) {
        if (box.parent === undefined) continue;
        const parent = boxes.get(box.parent);
        expect(parent?.kind).toBe("container");
        expect(parent && lies(box, { ...parent, y: parent.y + 40, height: parent.height - 40 })).toBe(true);
      }
    });
  });

  test("ids are unique, and every edge goes from border to border of two boxes in the same container", () => {
    check((layout) => {
      const boxes = byId(layout);
      expect(boxes.size).toBe(layout.boxes.length);
      expect(new Set(layout.arrows.map((arrow) => arrow.id)).size).toBe(layout.arrows.length);
      for (const { id: key, source, target, points } of layout.arrows) {
        expect(key).toBe(edgeKey(source, target));
        expect(boxes.get(source)?.parent).toBe(boxes.get(target)?.parent);
        expect(isOnBorder(points[0], boxes.get(source))).toBe(true);
        expect(isOnBorder(points.at(-1), boxes.get(target))).toBe(true);
      }
    });
  });

  test("opening a subgraph adds boxes and edges, and takes none away", () => {
    fc.assert(
      fc.property(drawing, (given) => {
        const paths = subgraphPaths(levelsOf(given));
        const all = layoutNested(given, new Set(paths));
        const none = layoutNested(given, new Set());
        expect(all.boxes.map((box) => box.id)).toEqual(expect.arrayContaining(none.boxes.map((box) => box.id)));
        expect(all.arrows.map((arrow) => arrow.id)).toEqual(expect.arrayContaining(none.arrows.map((one) => one.id)));
        expect(all.boxes.filter((box) => box.kind === "subgraph")).toEqual([]);
        expect(none.boxes.filter((box) => box.kind === "container")).toEqual([]);
      }),
    );
  });

  test("the nodes of a drawing are all drawn when everything is open", () => {
    fc.assert(
      fc.property(drawing, (given) => {
        const layout = layoutNested(given, new Set(subgraphPaths(levelsOf(given))));
        const ids = new Set(layout.boxes.map((box) => box.id));
        for (const node of given.nodes) expect(ids).toContain(String(node.id).replaceAll('"subgraph"', "subgraph"));
      }),
    );
  });
});

describe("a graph with subgraphs two deep", () => {
  const keys = ({ arrows }: GraphLayout) => arrows.map(({ source, target }) => `${source} > ${target}`).toSorted();

  test("closed, the subgraph is one box and edges lead to it", () => {
    const layout = layoutNested(nested, new Set());
    expect(layout.boxes.map(({ id: path, kind }) => [path, kind])).toEqual([
      ["__start__", "start"],
      ["before", "step"],
      ["child", "subgraph"],
      ["after", "step"],
      ["__end__", "end"],
    ]);
    expect(keys(layout)).toEqual(["__start__ > before", "after > __end__", "before > child", "child > after"]);
  });

  test("opened, it shows its own nodes, and the subgraph inside of it as one box", () => {
    const layout = layoutNested(nested, new Set(["child"]));
    expect(layout.boxes.filter((box) => box.parent === "child").map((box) => [box.label, box.kind])).toEqual([
      ["start", "start"],
      ["plan", "step"],
      ["inner", "subgraph"],
      ["check", "step"],
      ["end", "end"],
    ]);
    expect(keys(layout)).toEqual(expect.arrayContaining(["child:plan > child:inner", "child:inner > child:check"]));
    expect(layout.arrows.find((arrow) => arrow.target === "child:plan" && arrow.conditional)?.label).toBe("again");
  });

  test("an inner subgraph without start and end of its own gets both", () => {
    const layout = layoutNested(nested, new Set(["child", "child:inner"]));
    expect(keys(layout).filter((key) => key.startsWith("child:inner:"))).toEqual([
      "child:inner:__start__ > child:inner:read",
      "child:inner:read > child:inner:write",
      "child:inner:write > child:inner:__end__",
    ]);
  });

  test("a subgraph that is open inside of a closed one is not drawn", () => {
    expect(layoutNested(nested, new Set(["child:inner"]))).toEqual(layoutNested(nested, new Set()));
  });

  test("subgraphs are listed from the outer to the inner", () => {
    expect(subgraphPaths(levelsOf(nested))).toEqual(["child", "child:inner"]);
  });
});

test("boxes are in reading order, whatever the order of the drawing", () => {
  const { boxes } = layoutNested(
    drawn(
      ["__end__", "last", "first", "__start__"],
      [
        ["__start__", "first"],
        ["first", "last"],
        ["last", "__end__"],
      ],
    ),
    new Set(),
  );
  expect(boxes.map((box) => box.id)).toEqual(["__start__", "first", "last", "__end__"]);
});

test("a subgraph whose first node is in a loop is entered where the drawing enters it", () => {
  const { arrows } = layoutNested(
    drawn(
      ["before", "in:a", "in:b", "after"],
      [
        ["in:b", "in:a"],
        ["in:a", "in:b"],
        ["before", "in:b"],
        ["in:b", "after"],
      ],
    ),
    new Set(["in"]),
  );
  const ends = arrows.map((arrow) => arrow.id).filter((key) => key.includes("__"));
  expect(ends).toEqual([edgeKey("in:__start__", "in:b"), edgeKey("in:b", "in:__end__")]);
});

describe("the outline of a graph", () => {
  test("has the only edges of the top level", () => {
    const xray = drawn(["a", "in:x", "in:y"], [["a", "in:x"]]);
    const outline = drawn(["a", "in"], [["in", "a"]]);
    expect(layoutNested(xray, new Set(), outline).arrows.map((arrow) => arrow.id)).toEqual([edgeKey("in", "a")]);
  });

  test("brings back edges that leave a subgraph with several last nodes", () => {
    const xray = drawn(["__start__", "in:a", "in:b", "next"], [["__start__", "in:a"]]);
    const outline = drawn(
      ["__start__", "in", "next"],
      [
        ["__start__", "in"],
        ["in", "next"],
      ],
    );
    expect(layoutNested(xray, new Set(), outline).arrows.map((arrow) => arrow.id)).toEqual([
      edgeKey("__start__", "in"),
      edgeKey("in", "next"),
    ]);
  });

  test("keeps a node whole that has a colon in its name, or is a chain of numbered runnables", () => {
    const xray: GraphDrawing = {
      nodes: [
        { id: "a:b", data: {} },
        { id: "sub:x:y", data: {} },
        { id: 3, data: {} },
        { id: 4, data: {} },
      ],
      edges: [{ source: 3, target: 4 }],
    };
    const outline = drawn(["a:b", "sub:x", "chain"], [["a:b", "chain"]]);
    const layout = layoutNested(xray, new Set(["sub:x"]), outline);
    expect(layout.boxes.map(({ id: path, kind }) => [path, kind]).toSorted()).toEqual(
      [
        ["a:b", "step"],
        ["chain", "step"],
        ["sub:x", "container"],
        ["sub:x:__end__", "end"],
        ["sub:x:__start__", "start"],
        ["sub:x:y", "step"],
      ].toSorted(),
    );
  });
});

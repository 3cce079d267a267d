import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type GraphShapes, lostBetween, shapeOf } from "../../../lib/rules/graphs/shape.ts";

const name = fc.oneof(fc.constantFrom("a", "b", "c", "__proto__", "constructor"), fc.string({ maxLength: 4 }));
const names = fc.uniqueArray(name, { maxLength: 5 });
const shapes: fc.Arbitrary<GraphShapes> = fc
  .array(fc.tuple(name, fc.record({ nodes: names, keys: fc.option(names) })), { maxLength: 4 })
  .map((entries) => Object.fromEntries(entries));

describe("what is lost between two versions of the code", () => {
  test("is nothing where all is still there, also when more was added", () => {
    fc.assert(
      fc.property(shapes, shapes, (from, more) => {
        const to = Object.fromEntries(
          Object.entries({ ...more, ...from }).map(([graph, shape]) => {
            const nodes = [...shape.nodes, "added"];
            return [graph, { nodes, keys: shape.keys && [...shape.keys, "added"] }];
          }),
        );
        expect(lostBetween(from, to)).toEqual([]);
      }),
    );
  });

  test("is every graph where none is left", () => {
    fc.assert(
      fc.property(shapes, (from) => {
        const lost = Object.keys(from).map((graph) => ({ graph, what: "graph", name: graph }));
        expect(lostBetween(from, {})).toEqual(lost);
      }),
    );
  });

  test("was there before and is not there afterwards", () => {
    fc.assert(
      fc.property(shapes, shapes, (from, to) => {
        for (const { graph, what, name: lost } of lostBetween(from, to)) {
          const [before, after] = [from, to].map((one) => new Map(Object.entries(one)).get(graph));
          if (what === "graph") expect([before === undefined, after]).toEqual([false, undefined]);
          else if (what === "node")
            expect([before?.nodes.includes(lost), after?.nodes.includes(lost)]).toEqual([true, false]);
          else expect([before?.keys?.includes(lost), after?.keys?.includes(lost)]).toEqual([true, false]);
        }
      }),
    );
  });

  test("has no keys where one of the two schemas is unknown", () => {
    expect(lostBetween({ g: { nodes: [], keys: ["a"] } }, { g: { nodes: [], keys: null } })).toEqual([]);
  });
});

test("the shape of a graph is its nodes, without its ends, and the keys of its state", () => {
  const drawing = { nodes: ["__start__", "ask", "__end__"].map((id) => ({ id, data: {} })), edges: [] };
  expect(shapeOf(drawing, { state_schema: { type: "object", properties: { messages: {}, notes: {} } } })).toEqual({
    nodes: ["ask"],
    keys: ["messages", "notes"],
  });
  expect(shapeOf(drawing, { state_schema: null }).keys).toBe(null);
  expect(shapeOf(drawing, undefined).keys).toBe(null);
});

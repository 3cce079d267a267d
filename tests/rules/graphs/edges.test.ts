import fc from "fast-check";
import { expect, test } from "vitest";
import type { GraphDrawing } from "../../../lib/protocol/assistants.ts";
import { edgeKey, edgeOf } from "../../../lib/rules/graphs/edge-key.ts";
import { layoutNested } from "../../../lib/rules/graphs/nested.ts";

const drawn = (ids: readonly string[], edges: readonly (readonly [string, string, string?])[]): GraphDrawing => ({
  nodes: ids.map((id) => ({ id, type: "runnable", data: { name: id } })),
  edges: edges.map(([source, target, data]) => ({ source, target, conditional: data !== undefined, data })),
});

test("several conditions with the same target are one edge with all their names", () => {
  const { arrows } = layoutNested(
    drawn(
      ["a", "b"],
      [
        ["a", "b", "yes"],
        ["a", "b", "no"],
        ["a", "b", "yes"],
      ],
    ),
    new Set(),
  );
  expect(arrows).toMatchObject([{ label: "yes, no", conditional: true }]);
});

test("an edge that is taken under no condition stays so beside conditional ones", () => {
  const { arrows } = layoutNested(
    drawn(
      ["a", "b"],
      [
        ["a", "b", "yes"],
        ["a", "b"],
      ],
    ),
    new Set(),
  );
  expect(arrows).toMatchObject([{ label: "yes", conditional: false }]);
});

test("the key of an edge tells its ends", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (source, target) => {
      expect(edgeOf(edgeKey(source, target))).toEqual({ source, target });
    }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const ends = edgeOf(text);
      if (ends) expect(JSON.parse(text)).toEqual([ends.source, ends.target]);
    }),
  );
});

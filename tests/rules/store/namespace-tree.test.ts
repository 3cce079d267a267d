import fc from "fast-check";
import { expect, test } from "vitest";
import {
  keysAbove,
  namespaceKey,
  type NamespaceNode,
  namespaceTree,
  visibleRows,
} from "../../../lib/rules/store/namespace-tree.ts";

const label = fc.constantFrom("a", "b", "__proto__", "users", "é");
const namespaces = fc.uniqueArray(fc.array(label, { minLength: 1, maxLength: 4 }), { selector: namespaceKey });

const all = (node: NamespaceNode): NamespaceNode[] => [node, ...node.children.flatMap(all)];

test("each listed namespace is one node, below those of its beginnings", () => {
  fc.assert(
    fc.property(namespaces, (listed) => {
      const nodes = all(namespaceTree(listed, undefined));
      const wanted = new Set(["", ...listed.flatMap((one) => [...keysAbove(one), namespaceKey(one)])]);
      expect(nodes.map((one) => namespaceKey(one.path)).toSorted()).toEqual([...wanted].toSorted());
      for (const { path, children } of nodes) {
        for (const child of children) expect(child.path.slice(0, -1)).toEqual(path);
      }
    }),
  );
});

test("a namespace that is not listed counts the items of those below it", () => {
  const tree = namespaceTree([["users", "ada"], ["users", "bob"], ["docs"]], [3, 4, 5]);
  expect(tree.count).toBe(12);
  expect(tree.children.map(({ path, count }) => [path, count])).toEqual([
    [["users"], 7],
    [["docs"], 5],
  ]);
  expect(namespaceTree([["a"], ["a", "b"]], [9, 4]).children[0]?.count).toBe(9);
  expect(namespaceTree([["a"]], undefined).count).toBeUndefined();
});

test("only what lies in open namespaces is seen", () => {
  fc.assert(
    fc.property(namespaces, (listed) => {
      const tree = namespaceTree(listed, undefined);
      expect(visibleRows(tree, new Set())).toHaveLength(1 + tree.children.length);
      const open = new Set(listed.flatMap((one) => keysAbove(one)));
      const seen = visibleRows(tree, open).map((row) => namespaceKey(row.node.path));
      expect(seen).toEqual(expect.arrayContaining(listed.map(namespaceKey)));
    }),
  );
  const rows = visibleRows(namespaceTree([["a", "b"], ["c"]], undefined), new Set(["a"]));
  expect(rows.map(({ node, level, place, of }) => [namespaceKey(node.path), level, place, of])).toEqual([
    ["", 1, 1, 1],
    ["a", 2, 1, 2],
    ["a.b", 3, 1, 1],
    ["c", 2, 2, 2],
  ]);
});

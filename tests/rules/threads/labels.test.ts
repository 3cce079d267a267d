import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../lib/protocol/json.ts";
import { labelsOf, OVERFULL, toLabelSearch } from "../../../lib/rules/threads/labels.ts";
import { hasMembers } from "../../support/has-members.ts";
import { isVisible, type Visibility } from "../../../lib/rules/visibility.ts";

const key = fc.constantFrom("owner", "a,b", "1", "__proto__", "");
const scalar = fc.constantFrom<unknown>("ada", "1", 1, -1.5, true, null, "\0", "\ud800", "[]");
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom("x", "x,y", "y"), fc.oneof(scalar, fc.constantFrom("y,z", "z")), {
    maxKeys: 2,
    noNullPrototype: true,
  }),
);
const metadata = fc
  .uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 4 })
  .map((members): JsonObject => Object.fromEntries(members));
const visibility: fc.Arbitrary<Visibility> = fc.array(
  fc.oneof(fc.record({ key, equals: value }), fc.record({ key, contains: fc.array(scalar, { maxLength: 2 }) })),
  { maxLength: 2 },
);

test("labels together with the rest of a search match exactly what the search matches", () => {
  fc.assert(
    fc.property(metadata, metadata, visibility, (of, query, visible) => {
      const wanted = toLabelSearch(query, visible);
      const labels = labelsOf(of);
      const found =
        wanted.labels.every((label) => labels.includes(label)) &&
        hasMembers(of, wanted.metadata) &&
        isVisible(wanted.visible, of);
      expect(found).toBe(hasMembers(of, query) && isVisible(visible, of));
    }),
    { numRuns: 1_000 },
  );
});

test("the order of members does not matter, the order of items does", () => {
  const label = (one: unknown) => labelsOf({ one })[0];
  expect(label({ a: 1, b: [{ c: 1, d: 2 }] })).toBe(label({ b: [{ d: 2, c: 1 }], a: 1 }));
  expect(label([1, 2])).not.toBe(label([2, 1]));
  expect(label({ "a,b": "c", a: "b,c" })).toBe(label({ a: "b,c", "a,b": "c" }));
});

test("metadata with too many members gets one common label, and a search uses at most eight labels", () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
  expect(labelsOf(many(100))).toHaveLength(100);
  expect(labelsOf(many(101))).toEqual([OVERFULL]);
  const { labels, metadata: left } = toLabelSearch(many(20));
  expect(labels.length + Object.keys(left).length).toBe(20);
  expect(labels).toHaveLength(8);
});

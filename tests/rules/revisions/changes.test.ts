import fc from "fast-check";
import { expect, test } from "vitest";
import { changesBetween, configDigests } from "../../../lib/rules/revisions/changes.ts";

const names = fc.dictionary(fc.constantFrom("A", "B", "C", "__proto__", "d.e"), fc.constantFrom("1", "2"), {
  noNullPrototype: true,
});
const commit = fc.option(
  fc.record({
    sha: fc.constantFrom("aaa", "bbb"),
    message: fc.constant("m"),
    author: fc.constant("Ada"),
    committed_at: fc.constant("2026-01-01"),
  }),
);
const revision = fc.record({
  number: fc.integer({ min: 1, max: 9 }),
  source: fc.record({ type: fc.constant("git" as const), url: fc.constantFrom("https://h/a", "https://h/b") }),
  commit,
  inputs: fc.option(
    fc.record(
      { variables: names, packages: fc.option(fc.constantFrom("p", "q")), config: names },
      { requiredKeys: ["variables"] },
    ),
  ),
});

test("a revision does not differ from itself", () => {
  fc.assert(
    fc.property(revision, (one) => {
      const none = { added: [], removed: [], changed: [] };
      const known = one.inputs !== null;
      expect(changesBetween(one, one)).toEqual({
        since: one.number,
        commit: null,
        source: false,
        config: one.inputs?.config ? none : null,
        variables: known ? none : null,
        packages: one.inputs?.packages === undefined ? null : false,
      });
    }),
  );
});

test("additions one way are removals the other way, and changes are changes both ways", () => {
  fc.assert(
    fc.property(revision, revision, (a, b) => {
      const [there, back] = [changesBetween(a, b), changesBetween(b, a)];
      for (const part of ["config", "variables"] as const) {
        expect(there[part]?.added).toEqual(back[part]?.removed);
        expect(there[part]?.changed.toSorted()).toEqual(back[part]?.changed.toSorted());
      }
      expect([there.source, there.packages]).toEqual([back.source, back.packages]);
      expect(there.commit?.from).toEqual(back.commit?.to);
    }),
  );
});

test("settings of a configuration are compared two levels deep, whatever their names", () => {
  const digests = configDigests(
    { graphs: { agent: { path: "a" }, b: "c" }, env: ".env", store: undefined },
    (text) => text,
  );
  expect(digests).toEqual({ "graphs.agent": '{"path":"a"}', "graphs.b": '"c"', env: '".env"' });
});

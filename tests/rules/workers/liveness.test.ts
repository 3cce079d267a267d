import fc from "fast-check";
import { expect, test } from "vitest";
import { quietAfter } from "../../../lib/rules/workers/liveness.ts";

const interval = fc.record({ heard: fc.boolean(), listening: fc.boolean() });

test("a process that was heard has not been quiet, and one interval adds one at most", () => {
  fc.assert(
    fc.property(fc.nat(), interval, (quiet, one) => {
      const after = quietAfter(quiet, one);
      expect(after).toBe(one.heard ? 0 : quiet + (one.listening ? 1 : 0));
    }),
  );
});

test("only as many intervals in a row count as the host was listening in since it was last heard", () => {
  fc.assert(
    fc.property(fc.array(interval), (all) => {
      const since = all.slice(all.findLastIndex(({ heard }) => heard) + 1);
      expect(all.reduce(quietAfter, 0)).toBe(since.filter(({ listening }) => listening).length);
    }),
  );
});

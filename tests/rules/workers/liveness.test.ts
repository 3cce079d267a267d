import fc from "fast-check";
import { expect, test } from "vitest";
import { quietAfter } from "../../../lib/rules/workers/liveness.ts";

const interval = fc.record({ hasMessage: fc.boolean(), listening: fc.boolean() });

test("an interval with output resets the count, and one without adds one at most", () => {
  fc.assert(
    fc.property(fc.nat(), interval, (quiet, one) => {
      const after = quietAfter(quiet, one);
      expect(after).toBe(one.hasMessage ? 0 : quiet + (one.listening ? 1 : 0));
    }),
  );
});

test("only intervals since the last output in which the host was listening count", () => {
  fc.assert(
    fc.property(fc.array(interval), (all) => {
      const since = all.slice(all.findLastIndex(({ hasMessage }) => hasMessage) + 1);
      expect(all.reduce(quietAfter, 0)).toBe(since.filter(({ listening }) => listening).length);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { saveConflict } from "../../../lib/rules/store/save-conflict.ts";

const stored = fc.option(
  fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.001Z").map((updated_at) => ({ updated_at })),
);

test("what the writer has seen is replaced without a question, and anything else is not", () => {
  fc.assert(
    fc.property(stored, stored, (seen, now) => {
      expect(saveConflict(now, now)).toBeUndefined();
      expect(saveConflict(seen, now) === undefined).toBe(seen?.updated_at === now?.updated_at);
    }),
  );
});

test("an item exists already, was changed, or was deleted", () => {
  const [first, second] = [{ updated_at: "1" }, { updated_at: "2" }];
  expect(saveConflict(null, first)).toBe("exists");
  expect(saveConflict(first, second)).toBe("changed");
  expect(saveConflict(first, null)).toBe("deleted");
});

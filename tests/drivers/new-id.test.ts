import fc from "fast-check";
import { validate, version } from "uuid";
import { expect, test } from "vitest";
import { newIds } from "../../lib/drivers/new-id.ts";

test("each id is greater than the one before, whatever the clock does", () => {
  const step = fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: -5_000, max: 5_000 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600 }), (steps) => {
      let time = Date.UTC(2026, 0, 1);
      const newId = newIds(() => time);
      let before = "";
      for (const change of steps) {
        time += change;
        const id = newId();
        expect(id > before).toBe(true);
        expect(validate(id) && version(id)).toBe(7);
        before = id;
      }
    }),
    { numRuns: 50 },
  );
});

test("an id begins with its time", () => {
  const time = Date.UTC(2026, 0, 1);
  const id = newIds(() => time)();
  expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(time);
});

test("ids of two makers have nothing in common but their time", () => {
  const made = [newIds(), newIds()].flatMap((newId) => Array.from({ length: 5_000 }, newId));
  expect(new Set(made.map((id) => id.slice(-12))).size).toBe(made.length);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { createBacklog } from "../../lib/drivers/workers/backlog.ts";

const MB = 1024 * 1024;

test("reading stops above 8 MB, and begins again at 4 MB", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 50 }), (steps) => {
      let isReading = true;
      const backlog = createBacklog((reading) => (isReading = reading));
      let waiting = 0;
      let expected = true;
      for (const step of steps) {
        const characters = step < 0 ? Math.min(-step, waiting) : step;
        if (step < 0) backlog.remove(characters * MB);
        else backlog.add(characters * MB);
        waiting += step < 0 ? -characters : characters;
        if (step >= 0 && waiting > 8) expected = false;
        if (step < 0 && waiting <= 4) expected = true;
        expect(isReading).toBe(expected);
      }
    }),
  );
});

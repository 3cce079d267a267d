import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPreview } from "../../../lib/rules/text/json-preview.ts";

test("a preview is the JSON itself when that is short, else its beginning", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 60 }), (value, most) => {
      const whole = JSON.stringify(value);
      const preview = jsonPreview(value, most);
      expect(preview.length).toBeLessThanOrEqual(most);
      if (whole.length <= most) expect(preview).toBe(whole);
      else expect(preview.endsWith("…")).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("the beginning is that of the JSON, for texts without escapes", () => {
  const text = fc.stringMatching(/^[a-z]*$/);
  fc.assert(
    fc.property(fc.dictionary(text, fc.array(text)), fc.integer({ min: 2, max: 40 }), (value, most) => {
      const whole = JSON.stringify(value);
      fc.pre(whole.length > most);
      expect(jsonPreview(value, most)).toBe(`${whole.slice(0, most - 1)}…`);
    }),
  );
});

test("only the part that is shown is read", () => {
  const huge = Array.from({ length: 10 }, () => "x".repeat(1_000_000));
  const trap = [
    huge,
    {
      get never(): never {
        throw new Error("read too far");
      },
    },
  ];
  expect(jsonPreview(trap, 20)).toHaveLength(20);
});

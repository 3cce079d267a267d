import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesGlob } from "../../../lib/rules/text/glob.ts";

const text = fc.stringMatching(/^[ab.-]{0,6}$/);

test("a star stands for any text, also none, and every other character for itself", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), text, (parts, subject) => {
      const pattern = parts.join("*");
      const expected = new RegExp(`^${parts.map((part) => part.replaceAll(".", "\\.")).join(".*")}$`).test(subject);
      expect(matchesGlob(pattern, subject)).toBe(expected);
    }),
  );
});

test("any replacement of the stars matches, in any case", () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), text, (parts, filling) => {
      expect(matchesGlob(parts.join("*").toUpperCase(), parts.join(filling))).toBe(true);
    }),
  );
});

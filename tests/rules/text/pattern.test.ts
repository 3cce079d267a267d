import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readPattern } from "../../../lib/rules/text/pattern.ts";

/** Syntax that has the same meaning in `RegExp` and RE2. */
const atom = fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\d", "\\w", "\\.", "[0-9]", "(?:a|ab)", "(b|)", "\\x61");
const count = fc.constantFrom("", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?", "+?");
const piece = fc.tuple(atom, count).map((parts) => parts.join(""));
const line = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(""));
const group = fc.tuple(line, line, count).map(([one, other, times]) => `(?:${one}|${other})${times}`);
const common = fc.array(fc.oneof(line, group), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(""));
// The text is short because `RegExp` backtracks: nine characters have cost it 16 s.
const text = fc.string({ unit: fc.constantFrom("a", "b", ".", "1", "é", "-"), maxLength: 5 });

function matches(source: string, subject: string): boolean | string {
  const read = readPattern(source);
  return "matches" in read ? read.matches(subject) : read.problem;
}

const SIGNS = "( ) [ ] { } ? * + | \\ ^ $ . < = ! k a 1 , : P".split(" ");

describe("a pattern", () => {
  test("matches the whole of a text as RegExp does, where both know its syntax", () => {
    fc.assert(
      fc.property(common, text, (source, subject) => {
        expect(matches(source, subject)).toBe(new RegExp(`^(?:${source})$`).test(subject));
      }),
      { numRuns: 1_000 },
    );
  });

  test("is read, or refused with a fix, for any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...SIGNS) })), (source) => {
        const read = readPattern(source);
        if ("problem" in read)
          expect(read).toMatchObject({ problem: expect.stringMatching(/./), fix: expect.stringMatching(/\.$/) });
        else expect(read.matches("a")).toBeTypeOf("boolean");
      }),
    );
  });

  test.each(["(?=a).*", "(?!a).*", "(?<=a)b", "(?<!a)b", "(a)\\1", "(?<x>a)\\k<x>", "(?>a)", "a++", "\\u0061"])(
    "%s is refused, never taken for something else",
    (source) => expect(readPattern(source)).toMatchObject({ problem: expect.any(String), fix: expect.any(String) }),
  );

  test("that would need thousands of steps is refused", () => {
    expect(readPattern("(a?){500}a{500}")).toMatchObject({ problem: "it repeats too much" });
    expect(readPattern("https://[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){0,3}\\.example\\.com")).toHaveProperty("matches");
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { highlight } from "../../lib/client/highlight.ts";
import { duration, elapsed, positiveNumber, relativeTime, wholeNumber } from "../../lib/client/measures.ts";
import { counted } from "../../lib/rules/text/counted.ts";
import { newId } from "../../lib/client/new-id.ts";
import { safeUrl } from "../../lib/client/safe-url.ts";

describe("coloured code", () => {
  test("the pieces joined are the code, each where it says it is", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', "'", "`", "\\", "\n", "#", "/", " ", "if", "a", "1") }),
        (code) => {
          const tokens = highlight(code);
          expect(tokens.map((token) => token.text).join("")).toBe(code);
          for (const { at, text } of tokens) expect(code.slice(at, at + text.length)).toBe(text);
        },
      ),
    );
  });

  test("strings, comments and words are distinguished", () => {
    const kinds = highlight('const a = "if"; // for').map(({ kind, text }) => [kind, text]);
    expect(kinds).toEqual([
      ["word", "const"],
      ["plain", " a = "],
      ["string", '"if"'],
      ["plain", "; "],
      ["comment", "// for"],
    ]);
  });

  test("an address in code is no comment", () => {
    expect(highlight("curl http://localhost:2024/x").map((token) => token.kind)).toEqual(["word", "plain"]);
  });
});

describe("addresses in an answer", () => {
  test("whatever is written, what may be followed is a page or a mail without credentials", () => {
    const scheme = fc.constantFrom(
      "http:",
      "https:",
      "mailto:",
      "javascript:",
      "JaVaScRiPt:",
      "data:",
      "file:",
      "blob:",
      "vbscript:",
      "",
    );
    const text = fc.tuple(fc.constantFrom("", " ", "\t", "\u0001"), scheme, fc.string()).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, (written) => {
        const safe = safeUrl(written);
        if (safe === undefined) return;
        const { protocol, username, password } = new URL(safe);
        expect(["http:", "https:", "mailto:"]).toContain(protocol);
        expect(username + password).toBe("");
      }),
    );
  });

  test.each([
    ["https://example.org/a?b=c#d", "https://example.org/a?b=c#d"],
    ["mailto:a@example.org", "mailto:a@example.org"],
    ["/deployments", undefined],
    ["java\nscript:alert(1)", undefined],
    ["https://bank.example@evil.example/", undefined],
  ])("%j is %j", (written, safe) => {
    expect(safeUrl(written)).toBe(safe);
  });
});

describe("figures", () => {
  test.each([
    [0, "under 1 ms"],
    [0.2, "under 1 ms"],
    [412.4, "412 ms"],
    [999.4, "999 ms"],
    [999.6, "1.0 s"],
    [3800, "3.8 s"],
    [59_940, "59.9 s"],
    [59_960, "1 min"],
    [125_000, "2 min 5 s"],
    [3_599_400, "59 min 59 s"],
    [3_599_600, "1.0 h"],
    [5_400_000, "1.5 h"],
  ])("%d ms is %s", (ms, words) => {
    expect(duration(ms)).toBe(words);
  });

  test.each([
    [-5_000, "0 s…"],
    [999, "0 s…"],
    [42_900, "42 s…"],
    [185_000, "3 min 5 s…"],
    [7_620_000, "2 h 7 min…"],
  ])("what has been going on for %d ms says %s", (ms, words) => {
    expect(elapsed(ms)).toBe(words);
  });

  test("a distance says on which side it lies", () => {
    expect(relativeTime(1000, 1500)).toBe("just now");
    expect(relativeTime(0, 90_000)).toBe("1 min ago");
    expect(relativeTime(10_000, 0)).toBe("in 10 s");
    expect(relativeTime(0, 3 * 86_400_000)).toBe("3 d ago");
  });

  test.each(["", "  ", "0", "-1", "many", "Infinity"])("%j is no number above 0", (typed) => {
    expect(positiveNumber(typed)).toBeUndefined();
  });

  test("a typed number may have spaces around it and a fraction", () => {
    expect([positiveNumber(" 512 "), positiveNumber("0.5")]).toEqual([512, 0.5]);
  });

  test.each(["", "0", "1.5", "17", "many"])("%j is no whole number from 1 to 16", (typed) => {
    expect(wholeNumber(typed, 16)).toBeUndefined();
  });

  test("the limits of a whole number are included", () => {
    expect(["1", " 16 "].map((typed) => wholeNumber(typed, 16))).toEqual([1, 16]);
  });

  test("one is not many", () => {
    expect([counted(0, "graph"), counted(1, "graph"), counted(1284, "run")]).toEqual([
      "0 graphs",
      "1 graph",
      "1,284 runs",
    ]);
  });

  test("an id is a UUID of version 4", () => {
    expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(newId()).not.toBe(newId());
  });
});

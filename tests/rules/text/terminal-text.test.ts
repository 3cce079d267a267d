import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forTerminal, jsonLine, plain, plainLines, withColours } from "../../../lib/rules/text/terminal-text.ts";

const ESC = "\u001B";
const BEL = "\u0007";

/** Whole and partial sequences in any order. The rest of one must not form another with the text that follows. */
const parts = fc.constantFrom(
  ESC,
  "[",
  "]",
  "P",
  "\\",
  "m",
  ";",
  ":",
  "?",
  ">",
  "0",
  "31",
  "52;c;",
  "8;;http://x",
  "a",
  "é",
  "😀",
  " ",
  "\t",
  "\r",
  "\n",
  BEL,
  "\u0000",
  "\u0085",
  "\u009B",
  "\u009C",
  "\u009D",
  "\u0090",
  "\u007F",
  "\u202E",
  "\u2066",
  "\u2028",
  "\uD800",
  `${ESC}[31m`,
  `${ESC}[0m`,
  `${ESC}[2J`,
);
const hostile = fc.oneof(
  fc.array(parts, { maxLength: 40 }).map((pieces) => pieces.join("")),
  fc.string({ unit: "binary", maxLength: 60 }),
);
// oxlint-disable-next-line no-control-regex
const COLOUR = /\u001B\[[0-9;:]*m/g;
const UNSEEN = /[^\P{Cc}\t]|[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u;

describe("text of strangers", () => {
  test("has no control sequences but colours, and does not change when it is cleaned again", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const clean of [withColours, forTerminal, plain]) {
          const shown = clean(text);
          expect(shown.replace(COLOUR, "")).not.toMatch(UNSEEN);
          expect(shown.isWellFormed()).toBe(true);
          expect(clean(shown)).toBe(shown);
        }
        expect(plain(text)).not.toContain(ESC);
      }),
      { numRuns: 5_000 },
    );
  });

  test("keeps every character that is no part of a sequence", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "[", "]", "m", "é", "😀", "\t", "1", ";") });
    fc.assert(
      fc.property(letters, (text) => {
        expect(withColours(text)).toBe(text);
      }),
    );
  });

  test.each([
    ["the clipboard", `${ESC}]52;c;cm0gLXJm${BEL}`],
    ["the clipboard, with the other end", `${ESC}]52;c;cm0gLXJm${ESC}\\`],
    ["the clipboard, as a C1 control", "\u009D52;c;cm0gLXJm\u009C"],
    ["a title", `${ESC}]0;root@host${BEL}`],
    ["an answer that the terminal types", `${ESC}P$q"p${ESC}\\${ESC}[6n${ESC}[21t`],
    ["a cleared screen", `${ESC}[2J${ESC}[H${ESC}c`],
    ["a line above", `${ESC}[1A${ESC}[2K`],
    ["a cleared screen, as a C1 control", "\u009B2J"],
    ["keys that are encoded otherwise", `${ESC}[>4;2m${ESC}[?1049h`],
    ["another set of letters", `${ESC}(0`],
    ["a turned direction", "\u202E\u2066"],
    ["a bell and an erased letter", `${BEL}\b\u007F`],
  ])("loses %s", (_, sequence) => {
    expect(withColours(`a${sequence}b`)).toBe("ab");
  });

  test("shows a link's text and drops its sequence", () => {
    expect(plain(`${ESC}]8;;https://evil.example${ESC}\\bank.example${ESC}]8;;${ESC}\\`)).toBe("bank.example");
  });

  test("hides nothing behind a string without an end, or by overwriting", () => {
    expect(plain(`${ESC}]0;never ends`)).toBe("0;never ends");
    expect(plain("rm -rf /\rls")).toBe("rm -rf / ls");
  });

  test("does not colour the text after it", () => {
    expect(forTerminal(`${ESC}[8mhidden`)).toBe(`${ESC}[8mhidden${ESC}[0m`);
    expect(forTerminal("none")).toBe("none");
  });

  test("cannot begin a line with the label of the server", () => {
    expect(plainLines("Error: x\n[graphlib] all is well")).toBe("Error: x\n    [graphlib] all is well");
  });

  test("is escaped in JSON, with the same meaning", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = jsonLine({ text });
        expect(line).not.toMatch(UNSEEN);
        expect(JSON.parse(line)).toEqual({ text });
      }),
    );
  });

  test("of 1,000,000 characters is cleaned", () => {
    for (const unit of [`${ESC}]`, `${ESC}[`, ESC, "\u009D", `${ESC}[0;`, `${ESC}P `, `${ESC}   `, "\r"]) {
      const text = unit.repeat(1_000_000 / unit.length);
      expect(withColours(text).length).toBeLessThanOrEqual(text.length);
    }
    const long = `${ESC}]${"x".repeat(1_000_000)}`;
    expect(withColours(long)).toBe("x".repeat(1_000_000));
  });
});

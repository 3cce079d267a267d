import fc from "fast-check";
import { expect, test } from "vitest";
import { type LineChange, lineDifference, linesShown } from "../../../lib/rules/text/line-difference.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "", "d e"), { maxLength: 8 });
const textOf = (changes: readonly LineChange[], left: LineChange["kind"]): string[] =>
  changes.flatMap(({ kind, text }) => (kind === left ? [] : [text]));

/** Returns the most lines that two lists have in common in the same order, by trying all. */
function mostCommon([first, ...rest]: readonly string[], other: readonly string[]): number {
  if (first === undefined) return 0;
  const at = other.indexOf(first);
  const without = mostCommon(rest, other);
  return at < 0 ? without : Math.max(without, 1 + mostCommon(rest, other.slice(at + 1)));
}

test("without the added lines it is the text before, without the removed ones that after, and no more lines can be kept", () => {
  fc.assert(
    fc.property(lines, lines, (first, second) => {
      const [before, after] = [first.join("\n"), second.join("\n")];
      const changes = lineDifference(before, after);
      expect(textOf(changes, "added").join("\n")).toBe(before);
      expect(textOf(changes, "removed").join("\n")).toBe(after);
      const kept = changes.filter(({ kind }) => kind === "kept").length;
      expect(kept).toBe(mostCommon(before.split("\n"), after.split("\n")));
    }),
  );
});

test("one line that changes within a prompt is the only one that differs", () => {
  expect(lineDifference("You help.\nBe brief.\n\nNever guess.", "You help.\nBe kind.\n\nNever guess.")).toEqual([
    { kind: "kept", text: "You help." },
    { kind: "removed", text: "Be brief." },
    { kind: "added", text: "Be kind." },
    { kind: "kept", text: "" },
    { kind: "kept", text: "Never guess." },
  ]);
});

test("texts of many different lines are replaced as a whole, except for their beginning and end", () => {
  const many = (mark: string) => Array.from({ length: 2_000 }, (_, at) => `${mark} ${at}`).join("\n");
  const changes = lineDifference(`top\n${many("a")}\nend`, `top\n${many("b")}\nend`);
  expect(changes.filter(({ kind }) => kind === "kept").map(({ text }) => text)).toEqual(["top", "end"]);
});

test("what is shown are the changed lines and two around them; the numbers of the others are told", () => {
  const before = Array.from({ length: 12 }, (_, at) => `line ${at}`);
  const shown = linesShown(lineDifference(before.join("\n"), before.with(5, "changed").join("\n")));
  expect(shown.map(({ line, left }) => line?.text ?? left)).toEqual([
    3,
    "line 3",
    "line 4",
    "line 5",
    "changed",
    "line 6",
    "line 7",
    4,
  ]);
  expect(linesShown(lineDifference("a\nb", "a\nb"))).toEqual([{ place: 1, left: 2 }]);
});

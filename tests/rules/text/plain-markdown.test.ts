import fc from "fast-check";
import { expect, test } from "vitest";
import { plainMarkdown } from "../../../lib/rules/text/plain-markdown.ts";

/** Returns whether a text is another one from which characters were taken. */
function isPart(part: string, whole: string): boolean {
  let at = 0;
  for (const unit of part) {
    const found = whole.indexOf(unit, at);
    if (found < 0) return false;
    at = found + unit.length;
  }
  return true;
}

test("only takes characters away, from any text", () => {
  const piece = fc.constantFrom("*", "**", "_", "`", "~~", "[", "](", ")", "# ", "> ", "\n", " ", "a", "é", "7");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece).map((pieces) => pieces.join("")),
      ),
      (text) => {
        expect(isPart(plainMarkdown(text), text)).toBe(true);
      },
    ),
  );
});

test("takes the marks of bold text, emphasis, code, links and headings", () => {
  expect(plainMarkdown("Before **send_email**")).toBe("Before send_email");
  expect(plainMarkdown("It is **84**, *surely*, by `12 * 7`.")).toBe("It is 84, surely, by 12 * 7.");
  expect(plainMarkdown("# Refund\n> [order 7](https://example.org/7) ~~shipped~~")).toBe("Refund\norder 7 shipped");
});

test("leaves names, sums and lone marks as they are", () => {
  for (const text of ["send_the_email", "2 * 3 * 4", "a ** b ** c", "5 > 3", "#7", "[1]", "x_1 and y_1", "__init__"]) {
    expect(plainMarkdown(text)).toBe(text);
  }
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLineBudget, createLineSplitter, LINE_CHARS } from "../../../lib/rules/text/output-lines.ts";

function split(pieces: readonly string[]): string[] {
  const lines = createLineSplitter();
  return [...pieces.flatMap((piece) => lines.write(piece)), ...lines.end()];
}

/** Text of relevant characters, and the offsets at which it is cut into chunks. */
const output = fc.tuple(
  fc.array(fc.constantFrom("a", "b", "\r", "\n", "\r\n", "\u001B[31m", "\u001B[2K", "\u0000", "é", "😀", "\t")),
  fc.array(fc.nat(60)),
);

function piecesOf(text: string, cuts: readonly number[]): string[] {
  const at = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length];
  return at.slice(1).map((end, n) => text.slice(at[n], end));
}

describe("lines of an output", () => {
  test("are the same however the output is split into chunks", () => {
    fc.assert(
      fc.property(output, ([parts, cuts]) => {
        const text = parts.join("");
        expect(split(piecesOf(text, cuts))).toEqual(split([text]));
      }),
    );
  });

  test("hold no break, no control character but colours, and at most LINE_CHARS characters", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 20 })), (pieces) => {
        for (const line of split(pieces)) {
          // oxlint-disable-next-line no-control-regex
          expect(line).not.toMatch(/[\u0000-\u0008\u000A-\u001A\u001C-\u001F\u007F]/);
          expect(line.isWellFormed()).toBe(true);
        }
      }),
    );
    expect(split(["x".repeat(LINE_CHARS), "x\ny"])).toEqual([`${"x".repeat(LINE_CHARS)}…`, "y"]);
  });

  test("are what a terminal shows after parts were overwritten", () => {
    expect(split(["1%\r50%\r100%\n", "a\r\nb\r\r\nc", "\rd"])).toEqual(["100%", "a", "b", "d"]);
    expect(split(["\u001B[1m\u001B[31mred\u001B[0m\u001B[K\u001B[2A\u001B]0;title\u0007!\n"])).toEqual([
      "\u001B[1m\u001B[31mred\u001B[0m!",
    ]);
  });

  test("have a progress text only while a line overwrites itself", () => {
    const lines = createLineSplitter();
    lines.write("plain");
    expect(lines.progress()).toBeUndefined();
    lines.write("\r10%");
    expect(lines.progress()).toBe("10%");
    lines.write("\r20%");
    expect(lines.progress()).toBe("20%");
    lines.write("\nnext");
    expect(lines.progress()).toBeUndefined();
  });
});

describe("a budget of lines", () => {
  const limits = { burst: 5, perSecond: 10, total: 40, last: 3 };
  const times = fc.array(fc.nat(300), { maxLength: 200 });

  test("emits all lines in order, or the number of those left out, and always the last ones", () => {
    fc.assert(
      fc.property(times, (pauses) => {
        const budget = createLineBudget<string>((lines) => `-${lines}`, limits);
        let now = 0;
        const emitted = pauses.flatMap((pause, n) => budget.add(String(n), (now += pause)));
        emitted.push(...budget.end());
        let next = 0;
        for (const line of emitted) {
          if (line.startsWith("-")) next += Number(line.slice(1));
          else expect(Number(line)).toBe(next++);
        }
        expect(next).toBe(pauses.length);
        const last = pauses.map((_, n) => String(n)).slice(-limits.last);
        expect(emitted.slice(-last.length || emitted.length)).toEqual(last);
      }),
    );
  });

  test("never lets more lines through than burst, rate and total allow", () => {
    fc.assert(
      fc.property(times, (pauses) => {
        const budget = createLineBudget<string>(() => "-", limits);
        let now = 0;
        const emitted = pauses.flatMap((pause) => budget.add("x", (now += pause))).filter((line) => line === "x");
        expect(emitted.length).toBeLessThanOrEqual(
          Math.min(limits.burst + (now * limits.perSecond) / 1000, limits.total),
        );
      }),
    );
  });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { asText, matching, MOST_LINES, withLines } from "../../lib/client/log-lines.ts";
import type { LogLine } from "../../lib/protocol/revisions.ts";

const line = (id: number, text = `line ${id}`, stream: LogLine["stream"] = "out"): LogLine => ({
  id,
  at: "2026-01-01T00:00:00.000Z",
  stream,
  text,
});
const from = (first: number, count: number): LogLine[] => Array.from({ length: count }, (_, at) => line(first + at));
const ids = (lines: readonly LogLine[]): number[] => lines.map((one) => one.id);

test("however pages overlap, each line is there once and in order", () => {
  const page = fc.record({ first: fc.nat(40), count: fc.nat(12) }).map(({ first, count }) => from(first, count));
  fc.assert(
    fc.property(page, fc.array(page, { maxLength: 6 }), (first, pages) => {
      // A log has no gaps. Each page begins at or before the end of the one before.
      const lines = pages.reduce<readonly LogLine[]>(withLines, first);
      expect(ids(lines)).toEqual([...new Set(ids(lines))].toSorted((a, b) => a - b));
      for (const one of first) expect(lines).toContain(one);
    }),
  );
});

test("nothing new leaves what was there as it was", () => {
  const lines = from(5, 10);
  expect(withLines(lines, from(5, 10))).toBe(lines);
  expect(withLines(lines, [])).toBe(lines);
});

test("lines beyond the bound are dropped at the end opposite to the new ones", () => {
  const full = from(1000, MOST_LINES);
  const later = withLines(full, from(1000 + MOST_LINES, 5));
  expect([later.length, later[0]?.id, later.at(-1)?.id]).toEqual([MOST_LINES, 1005, 1004 + MOST_LINES]);
  const earlier = withLines(full, from(990, 10));
  expect([earlier.length, earlier[0]?.id]).toEqual([MOST_LINES, 990]);
});

test("a filter keeps the lines that have its words, in any case, of its stream", () => {
  const lines = [line(0, "Asked"), line(1, "asked again", "err"), line(2, "answered", "us")];
  expect(ids(matching(lines, { text: "ASKED" }))).toEqual([0, 1]);
  expect(ids(matching(lines, { text: " asked ", stream: "err" }))).toEqual([1]);
  expect(matching(lines, { text: "  " })).toBe(lines);
  const build = [line(0, "Receiving objects: 9%", "err"), line(1, "fatal: no", "err")].map((one) => ({
    ...one,
    step: "cloning" as const,
  }));
  expect(ids(matching(build, { text: "", stream: "err" }))).toEqual([1]);
});

test("as a text, lines have their time and no colours", () => {
  expect(asText([{ ...line(0, "\u001B[32mgreen\u001B[39m"), step: "installing" }])).toBe(
    "2026-01-01T00:00:00.000Z installing green\n",
  );
});

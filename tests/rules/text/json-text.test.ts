import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJsonText } from "../../../lib/rules/text/json-text.ts";

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Texts that are nearly JSON: one character is added, removed or replaced. */
const nearlyJson = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.constantFrom("", ",", "}", "{", "]", '"', "'", "/", "x", "\n", "\\", "0", "."),
    fc.nat(2),
  )
  .map(([json, at, piece, cut]) => {
    const place = json.length === 0 ? 0 : at % json.length;
    return json.slice(0, place) + piece + json.slice(place + cut);
  });

/** A value, and the position of each of its members and items in the text. */
function walk(value: unknown, path: PropertyKey[], see: (path: PropertyKey[]) => void): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    see([...path, key]);
    walk(inner, [...path, key], see);
  }
}

describe("a text", () => {
  test("is JSON when JSON.parse accepts it, with the same value", () => {
    fc.assert(
      fc.property(fc.oneof(nearlyJson, fc.string({ unit: "binary" }), fc.json()), (text) => {
        const read = readJsonText(text);
        const parsed = parse(text);
        if (parsed) expect("value" in read && read.value).toEqual(parsed.value);
        else expect(read).toMatchObject({ problem: expect.any(String), fix: expect.stringMatching(/\.$/) });
      }),
      { numRuns: 2_000 },
    );
  });

  test("that is not JSON has a position inside of it", () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const read = readJsonText(text);
        if (!("problem" in read)) return;
        const lines = text.split("\n");
        expect(read.place.line).toBeLessThanOrEqual(lines.length);
        expect(read.place.column).toBeLessThanOrEqual((lines[read.place.line - 1]?.length ?? 0) + 1);
      }),
      { numRuns: 2_000 },
    );
  });

  test("has the position of each member and item, with any white space", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom("", " ", "  ", "\t"), (value, space) => {
        const text = JSON.stringify(value, null, space);
        const read = readJsonText(text);
        if (!("at" in read)) throw new Error("not read");
        const lines = text.split("\n");
        walk(read.value, [], (path) => {
          const { line, column } = read.at(path);
          const rest = lines[line - 1]?.slice(column - 1) ?? "";
          const key = path.at(-1);
          const inner = path.reduce<unknown>((at, step) => Reflect.get(Object(at), step), read.value);
          const first = JSON.stringify(inner)[0] ?? "";
          expect(rest.startsWith(JSON.stringify(key)) || rest.startsWith(first)).toBe(true);
        });
      }),
    );
  });

  test("that nests deeper than 200 levels is refused", () => {
    expect(readJsonText("[".repeat(1_000_000))).toMatchObject({ problem: "It nests deeper than 200 levels" });
    expect(readJsonText('{"a":'.repeat(100_000))).toMatchObject({ place: { line: 1 } });
  });
});

test.each([
  ["", "Expected a value but found the end of the file", 1, 1],
  ['{\n  "a": 1,\n}', 'There is a comma before "}"', 2, 9],
  ['{\n  "a": 1\n  "b": 2\n}', 'Expected a comma or "}" but found "\\""', 3, 3],
  ["{\n  graphs: 1\n}", 'Expected a name in double quotes but found "graphs"', 2, 3],
  ["{ 'a': 1 }", 'Expected a name in double quotes but found "\'"', 1, 3],
  ['{ "a" = 1 }', 'Expected a colon after "a" but found "="', 1, 7],
  ['{\n  // why\n  "a": 1\n}', "JSON has no comments", 2, 3],
  ['{ "a": [1, 2', 'Expected a comma or "]" but found the end of the file', 1, 13],
  ['{ "a": None }', 'Expected a value but found "None"', 1, 8],
  ["{} {}", 'Found "{" after the end', 1, 4],
])("%j: %s", (text, problem, line, column) => {
  expect(readJsonText(text)).toMatchObject({ problem, place: { line, column } });
});

test("a path that does not exist gives the position of the nearest path above it", () => {
  const read = readJsonText('{\n  "graphs": {\n    "agent": 1\n  }\n}');
  expect("at" in read && read.at(["graphs", "agent"])).toEqual({ line: 3, column: 5 });
  expect("at" in read && read.at(["graphs", "gone", "path"])).toEqual({ line: 2, column: 3 });
  expect("at" in read && read.at(["gone"])).toEqual({ line: 1, column: 1 });
});

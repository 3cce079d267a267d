import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const read = (path: string): string => readFileSync(join(import.meta.dirname, "../..", path), "utf8");

test("docs/settings.md lists the variables that the server and its command line read, and no others", () => {
  const known = Array.from(
    read("lib/env.ts").matchAll(/^ {2}([A-Z][A-Z\d_]+): (?:optional|z\.string)\(/gm),
    ([, name]) => name,
  );
  const cells = Array.from(read("docs/settings.md").matchAll(/^\| (`[^|]+) \|/gm), ([, cell = ""]) => cell);
  const listed = cells.flatMap((cell) => cell.match(/[A-Z][A-Z\d_]+/g) ?? []);
  expect(known.length).toBeGreaterThan(20);
  expect(listed.toSorted()).toEqual([...new Set(known)].toSorted());
});

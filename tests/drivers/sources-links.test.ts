import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { replaceLinks } from "../../lib/drivers/sources/links.ts";

const root = mkdtempSync(join(tmpdir(), "graphlib-linked-"));
beforeAll(() => {
  mkdirSync(join(root, "d"));
  writeFileSync(join(root, "file"), "it");
});
afterAll(() => rmSync(root, { recursive: true }));

const copy = (links: ReadonlyMap<string, string>, leftOut: (path: string) => void = () => undefined) =>
  replaceLinks({ root, links, count: () => undefined, refuse: () => undefined, leftOut });

function chain(count: number, target: (n: number) => string): Map<string, string> {
  return new Map(Array.from({ length: count }, (_, n) => [`l${n}`, target(n)]));
}

test("links that lead to each other by long paths are followed once each, and other work of the event loop runs", async () => {
  let turns = 0;
  let isOver = false;
  const others = (): void => {
    turns++;
    if (!isOver) setImmediate(others);
  };
  others();
  const long = chain(300, (n) => `${"d/../".repeat(810)}${n === 0 ? "file" : `l${n - 1}`}`);
  const left: string[] = [];
  // The count is taken before the first wait: 300 links of 1,620 parts take longer than one turn of the event loop may.
  const before = turns;
  const copied = copy(long, (path) => left.push(path));
  expect(turns).toBe(before);
  await copied;
  isOver = true;
  expect(turns).toBeGreaterThan(before + 1);
  expect(readFileSync(join(root, "l39"), "utf8")).toBe("it");
  expect([left.length, left[0]]).toEqual([260, "l40"]);
});

test("links that take too many steps are refused, and none is copied", async () => {
  const circle = chain(1_000, (n) => `${"d/../".repeat(300)}m${(n + 1) % 1_000}`);
  const links = new Map([...circle].map(([path, target]) => [path.replace("l", "m"), target]));
  await expect(copy(links)).rejects.toThrow("The links of the source take too many steps to follow");
});

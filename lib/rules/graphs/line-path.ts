import { type Point, round } from "./placed.ts";

/** Returns a smooth SVG path from the first point to the last that bends towards those between (a B-spline). */
export function pathThrough(points: readonly Point[]): string {
  const [first, second, ...rest] = points;
  if (!first || !second) return "";
  let path = `M${first.x},${first.y}L${mid(first, second, 1 / 6)}`;
  let [before, at] = [first, second];
  for (const next of rest) {
    path += `C${mid(before, at, 1 / 3)} ${mid(before, at, 2 / 3)} ${smooth(before, at, next)}`;
    [before, at] = [at, next];
  }
  return `${path}C${mid(before, at, 1 / 3)} ${mid(before, at, 2 / 3)} ${mid(before, at, 5 / 6)}L${at.x},${at.y}`;
}

function mid(a: Point, b: Point, share: number): string {
  return `${round(a.x + (b.x - a.x) * share)},${round(a.y + (b.y - a.y) * share)}`;
}

function smooth(a: Point, b: Point, c: Point): string {
  return `${round((a.x + 4 * b.x + c.x) / 6)},${round((a.y + 4 * b.y + c.y) / 6)}`;
}

const HEAD = { length: 9, width: 8 };

/** Returns the triangle at the end of a line; an empty path if the line has no direction. */
export function arrowHead(points: readonly Point[]): string {
  const tip = points.at(-1);
  const before = points.findLast((point) => tip && (point.x !== tip.x || point.y !== tip.y));
  if (!tip || !before) return "";
  const length = Math.hypot(tip.x - before.x, tip.y - before.y);
  const along = { x: (tip.x - before.x) / length, y: (tip.y - before.y) / length };
  const base = { x: tip.x - along.x * HEAD.length, y: tip.y - along.y * HEAD.length };
  const aside = { x: (-along.y * HEAD.width) / 2, y: (along.x * HEAD.width) / 2 };
  const corner = (sign: number) => `${round(base.x + sign * aside.x)},${round(base.y + sign * aside.y)}`;
  return `M${tip.x},${tip.y}L${corner(1)}L${corner(-1)}Z`;
}

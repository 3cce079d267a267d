import type { Point, Size } from "../../lib/rules/graphs/placed.ts";

type Rectangle = Point & Size;

export const overlap = (a: Rectangle, b: Rectangle): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The tolerance is 0.2 px, because coordinates are rounded to tenths. */
export function isOnBorder(point: Point | undefined, box: Rectangle | undefined): boolean {
  if (!point || !box) return false;
  const left = Math.abs(point.x - box.x);
  const right = Math.abs(point.x - box.x - box.width);
  const top = Math.abs(point.y - box.y);
  const bottom = Math.abs(point.y - box.y - box.height);
  const inside =
    point.x >= box.x - 0.2 &&
    point.x <= box.x + box.width + 0.2 &&
    point.y >= box.y - 0.2 &&
    point.y <= box.y + box.height + 0.2;
  return inside && Math.min(left, right, top, bottom) <= 0.2;
}

export function lies(inner: Rectangle, outer: Rectangle): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

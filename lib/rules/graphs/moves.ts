import type { Arrow, Box, GraphLayout } from "./layout.ts";

export type Direction = "up" | "down" | "left" | "right" | "first" | "last";

/** Sideways distance counts this many times, so that a move goes straight rather than near. */
const SIDEWAYS = 2;

/**
 * Returns the node that an arrow key goes to: along an edge where one leads in this direction, else to the nearest
 * node there. Without `from`, any direction gives the first node. Start and end are passed over.
 */
export function moveTo(
  { boxes, arrows }: GraphLayout,
  from: string | undefined,
  direction: Direction,
): Box | undefined {
  const nodes = boxes.filter(({ kind }) => kind !== "start" && kind !== "end");
  const at = nodes.find(({ id }) => id === from);
  if (direction === "last") return nodes.at(-1);
  if (!at || direction === "first") return nodes[0];
  // An opened subgraph is entered from its name.
  const inner = direction === "down" ? nodes.find(({ parent }) => parent === at.id) : undefined;
  if (inner) return inner;
  const ahead = nodes.filter((box) => box !== at && leads(at, box, direction));
  const joined = joinedWith(at.id, arrows, direction);
  return (
    nearest(
      at,
      ahead.filter((box) => joined.has(box.id)),
      direction,
    ) ?? nearest(at, ahead, direction)
  );
}

/**
 * Returns the node that the Tab key goes to: the one with this path, else the closed subgraph around it, else the first.
 * Undefined for a graph without nodes.
 */
export function tabStopOf({ boxes }: Pick<GraphLayout, "boxes">, path: string | undefined): Box | undefined {
  const nodes = boxes.filter(({ kind }) => kind !== "start" && kind !== "end");
  return (path === undefined ? undefined : drawnBox(nodes, path)) ?? nodes[0];
}

/** Returns the box of a node, or that of the closed subgraph that it is in. */
export function drawnBox(boxes: readonly Box[], path: string): Box | undefined {
  const around = boxes.filter(({ id }) => path === id || path.startsWith(`${id}:`));
  return around.toSorted((a, b) => b.id.length - a.id.length)[0];
}

function leads(from: Box, to: Box, direction: "up" | "down" | "left" | "right"): boolean {
  if (direction === "down") return to.y > from.y;
  if (direction === "up") return to.y < from.y;
  // Sideways only to what stands beside, so that a row is walked through and not left.
  const beside = to.y < from.y + from.height && from.y < to.y + to.height;
  return (
    beside &&
    !holds(from, to) &&
    !holds(to, from) &&
    (direction === "left" ? middle(to) < middle(from) : middle(to) > middle(from))
  );
}

function holds(outer: Box, inner: Box): boolean {
  return outer.kind === "container" && inner.id.startsWith(`${outer.id}:`);
}

function joinedWith(id: string, arrows: readonly Arrow[], direction: Direction): Set<string> {
  if (direction === "down") return new Set(arrows.filter(({ source }) => source === id).map(({ target }) => target));
  if (direction === "up") return new Set(arrows.filter(({ target }) => target === id).map(({ source }) => source));
  return new Set();
}

function nearest(from: Box, boxes: readonly Box[], direction: Direction): Box | undefined {
  const vertical = direction === "up" || direction === "down";
  const distance = (box: Box) => {
    const [x, y] = [Math.abs(middle(box) - middle(from)), Math.abs(box.y - from.y)];
    return vertical ? y + SIDEWAYS * x : x + SIDEWAYS * y;
  };
  return boxes.reduce<Box | undefined>(
    (best, box) => (best && distance(best) <= distance(box) ? best : box),
    undefined,
  );
}

const middle = (box: Box): number => box.x + box.width / 2;

import type { GraphDrawing } from "../../protocol/assistants.ts";
import type { Level, LevelNode } from "./level.ts";
import { levelsOf } from "./levels.ts";
import { type Arrow, type Box, type GraphLayout, layoutLevel, type UnplacedBox, widthOf } from "./layout.ts";
import { round } from "./placed.ts";

const STEP_HEIGHT = 60;
const LEAST_WIDTH = 196;
const TERMINAL = { width: 88, height: 34 };
/** Start and end of an opened subgraph. */
const DOT = { width: 12, height: 12 };
/** Space inside of a container, which has its name at the top. */
const PADDING = 16;
const HEADER = 52;
const MARGIN = 24;

/** Places the nodes of all opened subgraphs inside of their containers. Total. */
export function layoutNested(drawing: GraphDrawing, open: ReadonlySet<string>, outline?: GraphDrawing): GraphLayout {
  return layoutLevels(levelsOf(drawing, outline), open);
}

/** Places a graph. The boxes are in reading order: by rows, the nodes of a container after it. */
export function layoutLevels(level: Level, open: ReadonlySet<string>): GraphLayout {
  const inside = new Map<string, GraphLayout>();
  for (const { path, inner } of level.nodes) if (inner && open.has(path)) inside.set(path, layoutLevels(inner, open));
  const parent = level.path === "" ? {} : { parent: level.path };
  const boxes = level.nodes.map((node) => ({ ...boxOf(node, level, inside.get(node.path)), ...parent }));
  const edges = [...level.edges.values()].map(({ key, ...edge }) => ({ id: key, ...edge }));
  const placed = layoutLevel(boxes, edges, level.path === "" ? MARGIN : 0);
  const all: GraphLayout = { ...placed, boxes: [], arrows: [...placed.arrows] };
  for (const box of placed.boxes.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    all.boxes.push(box);
    const inner = inside.get(box.id);
    if (!inner) continue;
    const [x, y] = [box.x + (box.width - inner.width) / 2, box.y + HEADER];
    for (const one of inner.boxes) all.boxes.push(movedBox(one, x, y));
    for (const one of inner.arrows) all.arrows.push(movedArrow(one, x, y));
  }
  return all;
}

function boxOf({ path, name, kind, inner }: LevelNode, level: Level, opened: GraphLayout | undefined): UnplacedBox {
  if (kind !== "step") return { id: path, label: kind, kind, ...(level.path === "" ? TERMINAL : DOT) };
  const label = name.replaceAll(/\s+/g, " ").trim() || "(no name)";
  const width = widthOf(label, LEAST_WIDTH);
  if (!inner) return { id: path, label, kind, width, height: STEP_HEIGHT };
  if (!opened) return { id: path, label, kind: "subgraph", width: width + 24, height: STEP_HEIGHT };
  return {
    id: path,
    label,
    kind: "container",
    width: Math.max(width + 24, Math.ceil(opened.width) + 2 * PADDING),
    height: Math.ceil(opened.height) + HEADER + PADDING,
  };
}

function movedBox(box: Box, x: number, y: number): Box {
  return { ...box, x: round(box.x + x), y: round(box.y + y) };
}

function movedArrow(arrow: Arrow, x: number, y: number): Arrow {
  const moved = (point: { x: number; y: number }) => ({ x: round(point.x + x), y: round(point.y + y) });
  return { ...arrow, points: arrow.points.map(moved), labelAt: moved(arrow.labelAt) };
}

/** Returns the paths of all subgraphs, outer before inner. */
export function subgraphPaths(level: Level): string[] {
  return level.nodes.flatMap(({ path, inner }) => (inner ? [path, ...subgraphPaths(inner)] : []));
}

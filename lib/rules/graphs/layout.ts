import type { GraphDrawing } from "../../protocol/assistants.ts";
import { isObject } from "../../protocol/json.ts";
import { placeLevel } from "./place.ts";
import { type Point, round, type Size } from "./placed.ts";

/** A node as a rectangle; `x` and `y` are its upper left corner. */
export interface Box extends Point, Size {
  id: string;
  label: string;
  /** A `subgraph` is closed; a `container` is an open one and has the boxes of its nodes inside. */
  kind: "start" | "end" | "step" | "subgraph" | "container";
  /** Id of the container around it. */
  parent?: string;
}

export interface Arrow {
  id: string;
  source: string;
  target: string;
  /** Set when the edge is taken under a condition, whose name is `label` if it has one. */
  conditional: boolean;
  label?: string;
  /** The points of the line, from the border of the source to the border of the target. */
  points: Point[];
  labelAt: Point;
}

export interface GraphLayout extends Size {
  boxes: Box[];
  arrows: Arrow[];
}

export type UnplacedBox = Omit<Box, "x" | "y">;
export type UnplacedArrow = Omit<Arrow, "points" | "labelAt">;

const STEP_HEIGHT = 44;
const TERMINAL = { width: 88, height: 34 };
/** The mean advance of the interface font at 14 px, weight 500, rounded up. */
const LETTER_PX = 8.2;
const MARGIN = 16;

/** A picture of more is too small to be read, and too much for a page that shows several. */
const MOST_NODES = 100;
const MOST_EDGES = 200;

/** Returns why a drawing gets no layout; undefined when it gets one. */
export function whyNotPlaced({ nodes, edges }: GraphDrawing): string | undefined {
  if (nodes.length <= MOST_NODES && edges.length <= MOST_EDGES) return undefined;
  return `It has ${nodes.length} nodes and ${edges.length} edges; up to ${MOST_NODES} nodes and ${MOST_EDGES} edges are drawn.`;
}

/** Places every node and edge of a drawing, top to bottom. Edges with an end that is not in the drawing are left out. */
export function layoutGraph(drawing: GraphDrawing): GraphLayout {
  const boxes = boxesOf(drawing);
  return layoutLevel(boxes, arrowsOf(drawing, new Set(boxes.map(({ id }) => id))), MARGIN);
}

/** Places boxes and arrows with a margin around them. The ends of the arrows are among the boxes. */
export function layoutLevel(
  boxes: readonly UnplacedBox[],
  arrows: readonly UnplacedArrow[],
  margin: number,
): GraphLayout {
  const order = new Map(boxes.map((box, index) => [box.id, index]));
  const wires = arrows.map(({ source, target, label }) => {
    return { from: order.get(source) ?? 0, to: order.get(target) ?? 0, ...(label === undefined ? {} : { label }) };
  });
  const { corners, lines, width, height } = placeLevel(boxes, wires);
  const moved = ({ x, y }: Point): Point => ({ x: round(x + margin), y: round(y + margin) });
  return {
    width: round(width + 2 * margin),
    height: round(height + 2 * margin),
    boxes: boxes.map((box, index) => ({ ...box, ...moved(corners[index] ?? ORIGIN) })),
    arrows: arrows.map((arrow, index) => {
      const { points, labelAt } = lines[index] ?? { points: [], labelAt: ORIGIN };
      return { ...arrow, points: points.map(moved), labelAt: moved(labelAt) };
    }),
  };
}

const ORIGIN: Point = { x: 0, y: 0 };

function boxesOf(drawing: GraphDrawing): UnplacedBox[] {
  const seen = new Map<string, UnplacedBox>();
  for (const node of drawing.nodes) {
    const id = `${node.id}`;
    if (seen.has(id)) continue;
    const kind = id === "__start__" ? "start" : id === "__end__" ? "end" : "step";
    const label = kind === "step" ? nameOf(node.data, id) : kind;
    const size = kind === "step" ? { width: widthOf(label, 112), height: STEP_HEIGHT } : TERMINAL;
    seen.set(id, { id, label, kind, ...size });
  }
  return [...seen.values()];
}

function nameOf(data: unknown, id: string): string {
  const name = isObject(data) ? data.name : data;
  return typeof name === "string" && name !== "" ? name : id;
}

/** Returns the width of a box with this label: at least `least`, and at most 280 px, where the label is cut. */
export function widthOf(label: string, least: number): number {
  return Math.round(Math.min(280, Math.max(least, label.length * LETTER_PX + 40)));
}

function arrowsOf(drawing: GraphDrawing, known: ReadonlySet<string>): UnplacedArrow[] {
  return drawing.edges
    .map((edge) => ({ ...edge, source: String(edge.source), target: String(edge.target) }))
    .filter(({ source, target }) => known.has(source) && known.has(target))
    .map(({ source, target, conditional, data }, index) => ({
      id: `e${index}`,
      source,
      target,
      conditional: conditional === true,
      // A condition without a name is drawn with its target's name, which the box already shows.
      ...(typeof data === "string" && data !== "" && data !== target ? { label: data } : {}),
    }));
}

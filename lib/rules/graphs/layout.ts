import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from "@dagrejs/dagre";
import type { GraphDrawing } from "../../protocol/assistants.ts";
import { isObject } from "../../protocol/json.ts";

export interface Point {
  x: number;
  y: number;
}

/** A node as a rectangle; `x` and `y` are its upper left corner. */
export interface Box extends Point {
  id: string;
  label: string;
  kind: "start" | "end" | "step";
  width: number;
  height: number;
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

export interface GraphLayout {
  width: number;
  height: number;
  boxes: Box[];
  arrows: Arrow[];
}

const STEP_HEIGHT = 44;
const TERMINAL = { width: 88, height: 34 };
/** The mean advance of the interface font at 14 px, weight 500, rounded up. */
const LETTER_PX = 8.2;
const LABEL_LETTER_PX = 6.8;
const MARGIN = 16;

/** The layout of 100 nodes takes up to 1 s of the server with 200 edges, and half a minute with 1,000. */
const MOST_NODES = 100;
const MOST_EDGES = 200;

/** Returns why a drawing gets no layout; undefined when it gets one. */
export function whyNotPlaced({ nodes, edges }: GraphDrawing): string | undefined {
  if (nodes.length <= MOST_NODES && edges.length <= MOST_EDGES) return undefined;
  return `It has ${nodes.length} nodes and ${edges.length} edges; up to ${MOST_NODES} nodes and ${MOST_EDGES} edges are drawn.`;
}

/** Places every node and edge of a drawing, top to bottom. Edges with an end that is not in the drawing are left out. */
export function layoutGraph(drawing: GraphDrawing): GraphLayout {
  // Dagre gets numbers instead of names, because a node may be called `__proto__`.
  const boxes = boxesOf(drawing);
  const order = new Map(boxes.map((box, index) => [box.id, index]));
  const graph: Canvas = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 36, ranksep: 44, edgesep: 28, marginx: MARGIN, marginy: MARGIN });
  for (const [index, box] of boxes.entries()) graph.setNode(`${index}`, { width: box.width, height: box.height });

  const arrows = arrowsOf(drawing, order);
  for (const { id, source, target, label } of arrows) {
    const space =
      label === undefined ? { width: 8, height: 1 } : { width: label.length * LABEL_LETTER_PX + 12, height: 18 };
    graph.setEdge(`${order.get(source)}`, `${order.get(target)}`, { ...space, labelpos: "c" }, id);
  }
  layout(graph);
  return read(graph, boxes, arrows, order);
}

type Canvas = Graph<GraphLabel, NodeLabel, EdgeLabel>;
type Unplaced = Omit<Arrow, "points" | "labelAt">;

function read(
  graph: Canvas,
  boxes: readonly Box[],
  arrows: readonly Unplaced[],
  order: ReadonlyMap<string, number>,
): GraphLayout {
  const size = graph.graph();
  const laid = boxes.map((box, index) => {
    const { x = 0, y = 0 } = graph.node(`${index}`);
    return { ...box, x: round(x - box.width / 2), y: round(y - box.height / 2) };
  });
  return {
    width: round(size.width ?? 0),
    height: round(size.height ?? 0),
    boxes: laid,
    arrows: arrows.map((arrow) => {
      const [from, to] = [order.get(arrow.source) ?? -1, order.get(arrow.target) ?? -1];
      const { x = 0, y = 0, points = [] } = graph.edge(`${from}`, `${to}`, arrow.id);
      const box = from === to ? laid[from] : undefined;
      const bends = box ? loopBeside(box, x) : points;
      return {
        ...arrow,
        points: bends.map((point) => ({ x: round(point.x), y: round(point.y) })),
        labelAt: { x: round(x), y: round(y) },
      };
    }),
  };
}

/** Returns a loop that touches its box, as dagre's does not. Dagre reserves the space up to `outer`. */
function loopBeside(box: Box, outer: number): Point[] {
  const right = box.x + box.width;
  const [above, below] = [box.y + box.height / 4, box.y + (box.height * 3) / 4];
  return [
    { x: right, y: above },
    { x: outer, y: above },
    { x: outer, y: below },
    { x: right, y: below },
  ];
}

function boxesOf(drawing: GraphDrawing): Box[] {
  const seen = new Map<string, Box>();
  for (const node of drawing.nodes) {
    const id = `${node.id}`;
    if (seen.has(id)) continue;
    const kind = id === "__start__" ? "start" : id === "__end__" ? "end" : "step";
    const label = kind === "step" ? nameOf(node.data, id) : kind;
    const size = kind === "step" ? { width: widthOf(label), height: STEP_HEIGHT } : TERMINAL;
    seen.set(id, { id, label, kind, x: 0, y: 0, ...size });
  }
  return [...seen.values()];
}

function nameOf(data: unknown, id: string): string {
  const name = isObject(data) ? data.name : data;
  return typeof name === "string" && name !== "" ? name : id;
}

function widthOf(label: string): number {
  return Math.round(Math.min(280, Math.max(112, label.length * LETTER_PX + 40)));
}

function arrowsOf(drawing: GraphDrawing, known: ReadonlyMap<string, number>): Unplaced[] {
  return drawing.edges
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

const round = (value: number): number => Math.round(value * 10) / 10;

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

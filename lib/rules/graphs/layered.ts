/**
 * A layered layout for large graphs: 500 nodes take about 20 ms, where dagre needs 300 ms to 2 s. Nodes stand in layers by the
 * longest path to them, layers are ordered to avoid crossings, and nodes stand near the middle of their neighbours.
 */
import { type Cell, orderLayers, spreadLayers } from "./layers.ts";
import { labelSize, LOOP_PX, loopBeside, type Placed, type Point, type Size, type Wire } from "./placed.ts";
import { backLinks, type Link, ranksOf } from "./ranks.ts";

/** The number of places that long edges may take in the layers between their ends. Longer edges go straight. */
const MOST_PASSINGS = 4000;
const LAYER_GAP = 48;
const GAP = 36;
const PORT_PX = 24;

interface Layered {
  layers: number[][];
  cells: Cell[];
  /** The cells of each wire, from its upper end to its lower one. */
  chains: number[][];
  turned: boolean[];
}

export function placeInLayers(boxes: readonly Size[], wires: readonly Wire[]): Placed {
  const layered = layersOf(boxes, wires);
  orderLayers(layered.layers, layered.cells);
  spreadLayers(layered.layers, layered.cells);
  const tops = topsOf(layered, boxes, wires);
  const corners = boxes.map((): Point => ({ x: 0, y: 0 }));
  let left = Infinity;
  for (const cell of layered.layers.flat()) left = Math.min(left, edgeOfCell(layered.cells[cell]));
  if (left === Infinity) left = 0;
  for (const cell of layered.cells) cell.x -= left;
  for (const [rank, layer] of layered.layers.entries()) {
    for (const cell of layer) {
      const box = boxes[cell];
      if (!box) continue;
      const spare = ((tops[rank]?.height ?? 0) - box.height) / 2;
      corners[cell] = { x: (layered.cells[cell]?.x ?? 0) - box.width / 2, y: (tops[rank]?.y ?? 0) + spare };
    }
  }
  placeAlone(layered, boxes, corners, tops);
  const lines = linesOf(layered, boxes, wires, corners, tops);
  return { corners, lines, ...sizeOf(boxes, corners, lines, wires) };
}

const edgeOfCell = (cell: Cell | undefined): number => (cell?.x ?? 0) - (cell?.width ?? 0) / 2;

function layersOf(boxes: readonly Size[], wires: readonly Wire[]): Layered {
  const turned = backLinks(boxes.length, wires);
  const links = wires.map(({ from, to }, index): Link => (turned[index] ? { from: to, to: from } : { from, to }));
  const ranks = ranksOf(boxes.length, links);
  const loops = new Set(wires.filter(({ from, to }) => from === to).map(({ from }) => from));
  const linked = new Set(links.filter(({ from, to }) => from !== to).flatMap(({ from, to }) => [from, to]));
  const cells = boxes.map(({ width }, index): Cell => {
    return { width: width + (loops.has(index) ? 2 * LOOP_PX : 0), passing: false, up: [], down: [], x: 0 };
  });
  const layers: number[][] = [];
  for (const node of linked) (layers[ranks[node] ?? 0] ??= []).push(node);
  const filled = Array.from(layers, (layer: number[] | undefined) => layer ?? []);
  const rankOf = (node: number) => ranks[node] ?? 0;
  const spans = links.map(({ from, to }, index) => ({ index, span: rankOf(to) - rankOf(from) }));
  const chains = links.map(({ from, to }) => [from, to]);
  let left = MOST_PASSINGS;
  for (const { index, span } of spans.toSorted((a, b) => a.span - b.span)) {
    const { from, to } = links[index] ?? { from: 0, to: 0 };
    if (from === to) continue;
    const chain = [from];
    if (span - 1 <= left) {
      left -= Math.max(0, span - 1);
      for (let rank = rankOf(from) + 1; rank < rankOf(to); rank++) {
        filled[rank]?.push(cells.length);
        chain.push(cells.length);
        cells.push({ width: 4, passing: true, up: [], down: [], x: 0 });
      }
    }
    chain.push(to);
    chains[index] = chain;
    for (const [at, cell] of chain.slice(1).entries()) {
      cells[chain[at] ?? 0]?.down.push(cell);
      cells[cell]?.up.push(chain[at] ?? 0);
    }
  }
  return { layers: filled, cells, chains, turned };
}

/** Returns where each layer begins, and how tall it is. A gap that labels stand in is wider. */
function topsOf(
  { layers, chains }: Layered,
  boxes: readonly Size[],
  wires: readonly Wire[],
): { y: number; height: number }[] {
  const rankOf = new Map(layers.flatMap((layer, rank) => layer.map((cell): [number, number] => [cell, rank])));
  const labelled = new Set<number>();
  for (const [index, { label }] of wires.entries()) {
    if (label !== undefined) labelled.add(rankOf.get(chains[index]?.[0] ?? 0) ?? 0);
  }
  let y = 0;
  return layers.map((layer, rank) => {
    const height = layer.reduce((most, cell) => Math.max(most, boxes[cell]?.height ?? 0), 0);
    const top = { y, height };
    y += height + LAYER_GAP + (labelled.has(rank) ? labelSize("").height : 0);
    return top;
  });
}

/** Places the nodes that no edge leads to or from in rows below all others. */
function placeAlone(
  { layers }: Layered,
  boxes: readonly Size[],
  corners: Point[],
  tops: readonly { y: number; height: number }[],
): void {
  const linked = new Set(layers.flat());
  const alone = [...boxes.entries()].filter(([index]) => !linked.has(index));
  const last = tops.at(-1);
  let y = last ? last.y + last.height + LAYER_GAP : 0;
  const columns = Math.ceil(Math.sqrt(alone.length));
  for (let from = 0; from < alone.length; from += columns) {
    let [x, height] = [0, 0];
    for (const [index, box] of alone.slice(from, from + columns)) {
      corners[index] = { x, y };
      x += box.width + GAP + 2 * LOOP_PX;
      height = Math.max(height, box.height);
    }
    y += height + LAYER_GAP;
  }
}

function linesOf(
  layered: Layered,
  boxes: readonly Size[],
  wires: readonly Wire[],
  corners: readonly Point[],
  tops: readonly { y: number; height: number }[],
): Placed["lines"] {
  const { chains, cells, turned, layers } = layered;
  const rankOf = new Map(layers.flatMap((layer, rank) => layer.map((cell): [number, number] => [cell, rank])));
  const leaving = portsOf(chains, cells, boxes, "down");
  const entering = portsOf(chains, cells, boxes, "up");
  return wires.map(({ from, to }, index) => {
    const chain = chains[index] ?? [];
    const [upper, lower] = [chain[0] ?? 0, chain.at(-1) ?? 0];
    const [a, b] = [boxOf(boxes, corners, upper), boxOf(boxes, corners, lower)];
    if (from === to) {
      const points = loopBeside(a, a.x + a.width + LOOP_PX);
      return { points, labelAt: { x: a.x + a.width + LOOP_PX, y: a.y + a.height / 2 } };
    }
    const start = { x: a.x + a.width / 2 + (leaving[index] ?? 0), y: a.y + a.height };
    const end = { x: b.x + b.width / 2 + (entering[index] ?? 0), y: b.y };
    const passed = chain.slice(1, -1).flatMap((cell): Point[] => {
      const { y, height } = tops[rankOf.get(cell) ?? 0] ?? { y: 0, height: 0 };
      const x = cells[cell]?.x ?? 0;
      return [{ x, y }, ...(height > 0 ? [{ x, y: y + height }] : [])];
    });
    const bend = LAYER_GAP / 2;
    const points = [start, { x: start.x, y: start.y + bend }, ...passed, { x: end.x, y: end.y - bend }, end];
    const next = points[2] ?? end;
    const labelAt = { x: (start.x + next.x) / 2, y: (start.y + next.y) / 2 };
    return { points: turned[index] ? points.toReversed() : points, labelAt };
  });
}

function boxOf(boxes: readonly Size[], corners: readonly Point[], index: number): Point & Size {
  return { x: 0, y: 0, width: 0, height: 0, ...boxes[index], ...corners[index] };
}

/** Returns how far from the middle of its box each line begins (`down`) or ends (`up`), so that lines stand side by side. */
function portsOf(
  chains: readonly (readonly number[])[],
  cells: readonly Cell[],
  boxes: readonly Size[],
  side: "up" | "down",
): number[] {
  const ports = chains.map(() => 0);
  const groups = new Map<number, { index: number; x: number }[]>();
  for (const [index, chain] of chains.entries()) {
    const [node, next] = side === "down" ? [chain[0], chain[1]] : [chain.at(-1), chain.at(-2)];
    if (node === undefined || next === undefined || node === next) continue;
    const group = groups.get(node) ?? [];
    groups.set(node, group);
    group.push({ index, x: cells[next]?.x ?? 0 });
  }
  for (const [node, group] of groups) {
    const space = Math.min(PORT_PX, ((boxes[node]?.width ?? 0) * 0.7) / Math.max(1, group.length - 1));
    for (const [at, { index }] of group.toSorted((a, b) => a.x - b.x || a.index - b.index).entries()) {
      ports[index] = (at - (group.length - 1) / 2) * space;
    }
  }
  return ports;
}

function sizeOf(
  boxes: readonly Size[],
  corners: readonly Point[],
  lines: Placed["lines"],
  wires: readonly Wire[],
): Size {
  let [width, height] = [0, 0];
  for (const [index, box] of boxes.entries()) {
    width = Math.max(width, (corners[index]?.x ?? 0) + box.width);
    height = Math.max(height, (corners[index]?.y ?? 0) + box.height);
  }
  for (const [index, { points, labelAt }] of lines.entries()) {
    const label = wires[index]?.label;
    if (label !== undefined) width = Math.max(width, labelAt.x + labelSize(label).width / 2);
    for (const point of points) width = Math.max(width, point.x);
  }
  return { width, height };
}

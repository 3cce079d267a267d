/** Orders the nodes of each layer so that few edges cross, and finds their horizontal places. */

/** A node of a layer, or the place where a longer edge passes through it. */
export interface Cell {
  width: number;
  /** Set for a place of an edge. */
  passing: boolean;
  up: number[];
  down: number[];
  /** The horizontal centre. */
  x: number;
}

const SWEEPS = 6;
const GAP = 36;
const PASSING_GAP = 18;
/** Long edges make way for nodes, and not the other way round. */
const PASSING_WEIGHT = 0.05;

/** Sorts the cells of every layer by the mean place of their neighbours, downwards and upwards in turn. */
export function orderLayers(layers: number[][], cells: readonly Cell[]): void {
  const place = new Float64Array(cells.length);
  const count = (layer: readonly number[]) => {
    for (const [index, cell] of layer.entries()) place[cell] = index;
  };
  for (const layer of layers) count(layer);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const downwards = sweep % 2 === 0;
    for (const layer of downwards ? layers : layers.toReversed()) {
      const wanted = new Map<number, number>();
      for (const cell of layer) {
        const near = downwards ? cells[cell]?.up : cells[cell]?.down;
        wanted.set(cell, near && near.length > 0 ? mean(near, place) : (place[cell] ?? 0));
      }
      layer.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0) || (place[a] ?? 0) - (place[b] ?? 0));
      count(layer);
    }
  }
}

/** Sets `x` of all cells: near the mean of their neighbours, in the order of their layer, without overlaps. */
export function spreadLayers(layers: readonly (readonly number[])[], cells: readonly Cell[]): void {
  const x = new Float64Array(cells.length);
  for (const layer of layers) {
    const wanted = layer.map(() => 0);
    settle(layer, wanted, cells, x);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const downwards = sweep % 2 === 0;
    for (const layer of downwards ? layers : layers.toReversed()) {
      const wanted = layer.map((cell) => {
        const { up, down } = cells[cell] ?? { up: [], down: [] };
        const near = attracting(cells, cell, sweep >= SWEEPS - 2 ? [...up, ...down] : downwards ? up : down);
        return near.length > 0 ? mean(near, x) : (x[cell] ?? 0);
      });
      settle(layer, wanted, cells, x);
    }
  }
  for (const [index, cell] of cells.entries()) cell.x = x[index] ?? 0;
}

/** Returns the neighbours that a cell wants to stand near. Nodes are not drawn aside by edges that only pass by. */
function attracting(cells: readonly Cell[], cell: number, near: readonly number[]): readonly number[] {
  if (cells[cell]?.passing) return near;
  const nodes = near.filter((one) => !cells[one]?.passing);
  return nodes.length > 0 ? nodes : near;
}

/**
 * Places one layer: the nearest places to the wanted ones, by least squares, that keep order and distances. Cells
 * that are too near become one block, whose place is the mean of what its members want (pool adjacent violators).
 */
function settle(layer: readonly number[], wanted: readonly number[], cells: readonly Cell[], x: Float64Array): void {
  const offsets: number[] = [];
  let offset = 0;
  for (const [index, cell] of layer.entries()) {
    if (index > 0) offset += distance(cells[layer[index - 1] ?? 0], cells[cell]);
    offsets.push(offset);
  }
  const blocks: { sum: number; weight: number; first: number }[] = [];
  for (const [index, cell] of layer.entries()) {
    const weight = cells[cell]?.passing ? PASSING_WEIGHT : 1;
    let block = { sum: ((wanted[index] ?? 0) - (offsets[index] ?? 0)) * weight, weight, first: index };
    for (let last = blocks.at(-1); last && last.sum / last.weight >= block.sum / block.weight; last = blocks.at(-1)) {
      block = { sum: last.sum + block.sum, weight: last.weight + block.weight, first: last.first };
      blocks.pop();
    }
    blocks.push(block);
  }
  for (const [index, { sum, weight, first }] of blocks.entries()) {
    const end = blocks[index + 1]?.first ?? layer.length;
    for (let at = first; at < end; at++) x[layer[at] ?? 0] = sum / weight + (offsets[at] ?? 0);
  }
}

function distance(a: Cell | undefined, b: Cell | undefined): number {
  const gap = a?.passing || b?.passing ? PASSING_GAP : GAP;
  return ((a?.width ?? 0) + (b?.width ?? 0)) / 2 + gap;
}

function mean(cells: readonly number[], of: Float64Array): number {
  let sum = 0;
  for (const cell of cells) sum += of[cell] ?? 0;
  return sum / cells.length;
}

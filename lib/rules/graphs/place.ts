import { placeInLayers } from "./layered.ts";
import type { Placed, Size, Wire } from "./placed.ts";
import { placeWithDagre } from "./with-dagre.ts";

/** Up to this size, dagre takes less than a frame or two. */
const SMALL = { boxes: 40, wires: 60 };

/** Places the boxes and lines of one level, top to bottom. The same input gives the same places. */
export function placeLevel(boxes: readonly Size[], wires: readonly Wire[]): Placed {
  const small = boxes.length <= SMALL.boxes && wires.length <= SMALL.wires;
  return small ? placeWithDagre(boxes, wires) : placeInLayers(boxes, wires);
}

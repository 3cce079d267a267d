import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from "@dagrejs/dagre";
import { labelSize, loopBeside, type Placed, type Size, type Wire } from "./placed.ts";

/** Places one level with dagre, whose pictures of small graphs are the best. Its time grows faster than the graph. */
export function placeWithDagre(boxes: readonly Size[], wires: readonly Wire[]): Placed {
  // Dagre gets numbers instead of names, because a node may be called `__proto__`.
  const graph = new Graph<GraphLabel, NodeLabel, EdgeLabel>({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 36, ranksep: 44, edgesep: 28 });
  for (const [index, { width, height }] of boxes.entries()) graph.setNode(`${index}`, { width, height });
  for (const [index, { from, to, label }] of wires.entries()) {
    const space = label === undefined ? { width: 8, height: 1 } : labelSize(label);
    graph.setEdge(`${from}`, `${to}`, { ...space, labelpos: "c" }, `${index}`);
  }
  layout(graph);
  const corners = boxes.map(({ width, height }, index) => {
    const { x = 0, y = 0 } = graph.node(`${index}`);
    return { x: x - width / 2, y: y - height / 2 };
  });
  const lines = wires.map(({ from, to }, index) => {
    const { x = 0, y = 0, points = [] } = graph.edge(`${from}`, `${to}`, `${index}`);
    const [box, corner] = [boxes[from], corners[from]];
    const loop = from === to && box && corner ? loopBeside({ ...box, ...corner }, x) : undefined;
    return { points: loop ?? points, labelAt: { x, y } };
  });
  const { width = 0, height = 0 } = graph.graph();
  return { corners, lines, width, height };
}

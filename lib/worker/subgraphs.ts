/** Finds subgraphs by the namespace under which events and checkpoints name them. */
import type { Graph, Subgraph } from "./langgraph.ts";

/**
 * Yields all subgraphs of a graph, or the one of a namespace, with names such as `child|inner`. LangGraph lists all and
 * the choice is made here, because LangGraph takes `ab` for a namespace inside of a node called `a`.
 */
export async function* subgraphsAt(
  graph: Graph,
  namespace: string | undefined,
  recurse: boolean,
): AsyncGenerator<[name: string, subgraph: Subgraph]> {
  for await (const [name, subgraph] of graph.getSubgraphsAsync(undefined, recurse || namespace !== undefined)) {
    if (namespace === undefined || name === withoutTasks(namespace)) yield [name, subgraph];
  }
}

/** Removes task ids and call numbers, which events add to node names: `child:0a1b|1|model:2c3d` is `child|model`. */
function withoutTasks(namespace: string): string {
  return namespace
    .split("|")
    .filter((node) => !/^\d+$/.test(node))
    .map((node) => node.split(":")[0])
    .join("|");
}

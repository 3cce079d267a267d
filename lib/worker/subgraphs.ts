/** Graphs inside of a graph, by the namespace that events and checkpoints name them by. */
import type { Graph, Subgraph } from "./langgraph.ts";

/**
 * All graphs inside of one, or the one of a namespace, by their names: `child|inner`. They are asked for all and chosen
 * here: LangGraph takes `ab` for a namespace inside of a node called `a`.
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

/** Events name the task beside each node, and a number where one task calls a graph again: `child:0a1b|1|model:2c3d`. */
function withoutTasks(namespace: string): string {
  return namespace
    .split("|")
    .filter((node) => !/^\d+$/.test(node))
    .map((node) => node.split(":")[0])
    .join("|");
}

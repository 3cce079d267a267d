/** Names the nodes of drawings that number them: those of functions (`entrypoint`), which are no graphs of nodes. */
import type { GraphDrawing } from "../../protocol/assistants.ts";
import { isObject } from "../../protocol/json.ts";

/** Returns whether the nodes of a drawing have numbers in place of names. */
export function isUnnamed({ nodes }: GraphDrawing): boolean {
  return nodes.length > 0 && nodes.every(({ id }) => typeof id === "number");
}

/**
 * Gives numbered nodes the names that events of a run tell: that of the function, and `__start__` and `__end__` for its
 * input and output. Other drawings stay as they are.
 */
export function namedDrawing(drawing: GraphDrawing): GraphDrawing {
  if (!isUnnamed(drawing)) return drawing;
  const { nodes, edges } = drawing;
  const names = new Map<string | number, string | number>();
  for (const { id, type, data } of nodes) {
    const isInput = type === "schema" && !edges.some(({ target }) => target === id);
    const isOutput = type === "schema" && !edges.some(({ source }) => source === id);
    const name = isInput ? "__start__" : isOutput ? "__end__" : isObject(data) ? data.name : undefined;
    const isFree = typeof name === "string" && ![...names.values()].includes(name);
    names.set(id, isFree ? name : id);
  }
  const nameOf = (id: string | number): string | number => names.get(id) ?? id;
  return {
    nodes: nodes.map((node) => ({ ...node, id: nameOf(node.id) })),
    edges: edges.map((edge) => ({ ...edge, source: nameOf(edge.source), target: nameOf(edge.target) })),
  };
}

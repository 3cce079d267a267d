import type { GraphDrawing, GraphSchemas } from "../../protocol/assistants.ts";
import { isObject } from "../../protocol/json.ts";

/** The names that checkpoints of a graph refer to. */
export interface GraphShape {
  nodes: string[];
  /** The keys of its state; null when its schema could not be read. */
  keys: string[] | null;
}

export type GraphShapes = Readonly<Record<string, GraphShape>>;

/** A name that a checkpoint may refer to and that no longer exists. */
export interface LostName {
  graph: string;
  what: "graph" | "node" | "key";
  /** The name of the graph, node or key. */
  name: string;
}

const ENDS = new Set(["__start__", "__end__"]);

export function shapeOf({ nodes }: GraphDrawing, schemas: Pick<GraphSchemas, "state_schema"> | undefined): GraphShape {
  const properties = isObject(schemas?.state_schema) ? schemas.state_schema.properties : undefined;
  return {
    nodes: nodes.map((node) => String(node.id)).filter((id) => !ENDS.has(id)),
    keys: isObject(properties) ? Object.keys(properties) : null,
  };
}

/** Returns the names that code of the first shape may have written to checkpoints and the second lacks. Total. */
export function lostBetween(from: GraphShapes, to: GraphShapes): LostName[] {
  return Object.entries(from).flatMap(([graph, before]): LostName[] => {
    const after = Object.hasOwn(to, graph) ? to[graph] : undefined;
    if (!after) return [{ graph, what: "graph", name: graph }];
    const missing = (all: readonly string[], known: readonly string[]) => all.filter((one) => !known.includes(one));
    const keys = before.keys && after.keys ? missing(before.keys, after.keys) : [];
    return [
      ...missing(before.nodes, after.nodes).map((name): LostName => ({ graph, what: "node", name })),
      ...keys.map((name): LostName => ({ graph, what: "key", name })),
    ];
  });
}

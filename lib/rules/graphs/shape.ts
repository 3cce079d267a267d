import type { GraphDrawing, GraphSchemas } from "../../protocol/assistants.ts";
import { isObject } from "../../protocol/json.ts";

/** What checkpoints of a graph refer to. */
export interface GraphShape {
  nodes: string[];
  /** Keys of its state; null where its schema could not be read. */
  keys: string[] | null;
}

export type GraphShapes = Readonly<Record<string, GraphShape>>;

/** Something that a checkpoint may refer to and that is not there. */
export interface Lost {
  graph: string;
  what: "graph" | "node" | "key";
  /** The graph's own name, the node's, or the key's. */
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

/** What code of the first shape may have written into checkpoints that code of the second does not know. Total. */
export function lostBetween(from: GraphShapes, to: GraphShapes): Lost[] {
  return Object.entries(from).flatMap(([graph, before]): Lost[] => {
    const after = Object.hasOwn(to, graph) ? to[graph] : undefined;
    if (!after) return [{ graph, what: "graph", name: graph }];
    const missing = (all: readonly string[], known: readonly string[]) => all.filter((one) => !known.includes(one));
    const keys = before.keys && after.keys ? missing(before.keys, after.keys) : [];
    return [
      ...missing(before.nodes, after.nodes).map((name): Lost => ({ graph, what: "node", name })),
      ...keys.map((name): Lost => ({ graph, what: "key", name })),
    ];
  });
}

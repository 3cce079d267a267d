/** Makes a runnable graph of what a module exports (docs/api/runs.md#graph-exports). */
import type { RunnableConfig } from "@langchain/core/runnables";
import { GraphLoadError } from "../failure.ts";
import type { Graph } from "../langgraph.ts";

/** Returns the graph for one use. A factory is called each time; any other export is prepared once. */
export type GraphSource = (config: RunnableConfig) => Promise<Graph>;

export async function graphSourceOf(exported: unknown): Promise<GraphSource> {
  const value: unknown = await exported;
  if (typeof value === "function") {
    return async (config) => toGraph(await Reflect.apply(value, undefined, [config]), "The function returned");
  }
  const graph = toGraph(value, "The export is");
  return () => Promise.resolve(graph);
}

function toGraph(value: unknown, what: string): Graph {
  if (isCompiled(value)) return persistable(value);
  if (typeof value === "object" && value !== null) {
    // `createAgent` returns a wrapper around a compiled graph.
    if ("graph" in value && isCompiled(value.graph)) return persistable(value.graph);
    if ("compile" in value && typeof value.compile === "function") {
      const compiled: unknown = Reflect.apply(value.compile, value, []);
      if (isCompiled(compiled)) return compiled;
    }
  }
  throw new GraphLoadError(`${what} no graph but ${kindOf(value)}`);
}

function isCompiled(value: unknown): value is Graph {
  return typeof value === "object" && value !== null && "lg_is_pregel" in value && value.lg_is_pregel === true;
}

/**
 * Drops `checkpointer: true` or `false`, which is meant for a subgraph: at the root, the server decides. It changes a
 * copy, because the same graph may be inside of another one as well.
 */
function persistable(graph: Graph): Graph {
  if (typeof graph.checkpointer !== "boolean") return graph;
  const copy = graph.withConfig({});
  copy.checkpointer = undefined;
  return copy;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  if (typeof value !== "object") return `a ${typeof value}`;
  const name = value.constructor?.name;
  return name && name !== "Object" ? `an instance of ${name}` : "an object without .stream() and .compile()";
}

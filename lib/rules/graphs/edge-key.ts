import { parseJson } from "../../protocol/json.ts";

/**
 * Returns the key of the edge between two nodes, given as paths (`child:inner:node`). An edge that leaves or enters a
 * subgraph ends at the subgraph itself, so both paths have the same parent.
 */
export function edgeKey(source: string, target: string): string {
  return JSON.stringify([source, target]);
}

/** Inverse of `edgeKey`; undefined for any other text. */
export function edgeOf(key: string): { source: string; target: string } | undefined {
  const ends = parseJson(key);
  if (!Array.isArray(ends) || ends.length !== 2) return undefined;
  const source: unknown = ends[0];
  const target: unknown = ends[1];
  return typeof source === "string" && typeof target === "string" ? { source, target } : undefined;
}

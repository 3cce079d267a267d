import type { GraphDrawing } from "../../protocol/assistants.ts";

/**
 * Returns whether a graph has a node, by the node's path. Without a drawing every node counts as known, and so do the
 * ends of graphs.
 */
export function knownNodes(...drawings: readonly (GraphDrawing | undefined)[]): (path: string) => boolean {
  const known = new Set<string>();
  for (const { id } of drawings.flatMap((drawing) => drawing?.nodes ?? [])) {
    // A drawing with the insides of subgraphs has no node for the subgraphs themselves.
    const names = `${id}`.split(":");
    for (let at = 1; at <= names.length; at++) known.add(names.slice(0, at).join(":"));
  }
  return (path) => known.size === 0 || known.has(path) || /(?:^|:)__(?:start|end)__$/.test(path);
}

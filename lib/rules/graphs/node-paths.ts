import type { GraphDrawing } from "../../protocol/assistants.ts";

/** The names of nodes from the top to one node. Never empty. */
export type Segments = readonly string[];

/** Subgraphs that are nested deeper are drawn as one node with a long name. */
const MOST_LEVELS = 12;

/**
 * Returns a function that splits the ids of a drawing. LangGraph joins names by `:`, which a name itself may hold in
 * graphs that other libraries make. The ids of `outline` are whole names of the top level; a node that is neither one
 * of them nor inside of one is unknown.
 */
export function segmentsIn(outline: GraphDrawing | undefined): (id: string | number) => Segments | undefined {
  const tops = outline && new Set(outline.nodes.map(({ id }) => partsOf(String(id)).join(":")));
  return (id) => {
    const parts = partsOf(String(id));
    // The empty path is that of the top.
    if (parts[0] === "") return [parts.join(":")];
    if (!tops) return parts;
    for (let count = parts.length; count > 0; count--) {
      const top = parts.slice(0, count).join(":");
      if (tops.has(top)) return [top, ...parts.slice(count)];
    }
    return undefined;
  };
}

function partsOf(id: string): string[] {
  const parts = id.split(":", 10_000);
  const rest = parts.splice(MOST_LEVELS - 1);
  return [...parts, ...(rest.length > 0 ? [rest.join(":")] : [])].map(plainName);
}

/** LangGraph quotes this one name in drawings, for the language of its diagrams. */
function plainName(name: string): string {
  return name === '"subgraph"' ? "subgraph" : name;
}

/** Returns the path of the level that holds the node of the first `depth` segments. */
export function parentOf(segments: Segments, depth: number): string {
  return segments.slice(0, depth - 1).join(":");
}

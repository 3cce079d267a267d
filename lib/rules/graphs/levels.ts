import type { GraphDrawing } from "../../protocol/assistants.ts";
import { type DrawnEdge, type Level, type LevelNode, putEdge, sharedDepth } from "./level.ts";
import { joinEnds } from "./level-ends.ts";
import { parentOf, type Segments, segmentsIn } from "./node-paths.ts";

/**
 * Returns the levels of a drawing that was made with `xray`, whose ids name the way to each node: `child:inner:read`.
 * `outline` is the same graph without `xray`; with it, nodes and edges of the top level are exactly those of the
 * outline, which are otherwise guessed: LangGraph leaves out edges from a subgraph with several last nodes, and
 * replaces a chain of runnables by numbered nodes. Total: edges with an unknown end are left out.
 */
export function levelsOf(drawing: GraphDrawing, outline?: GraphDrawing): Level {
  const top: Level = { path: "", nodes: [], edges: new Map() };
  const nodes = new Map<string, LevelNode>();
  const segmentsOf = segmentsIn(outline);
  for (const node of [...(outline?.nodes ?? []), ...drawing.nodes]) {
    const segments = segmentsOf(node.id);
    if (segments) insert(top, nodes, segments, node);
  }
  const edges = drawing.edges.flatMap((edge) => drawnEdge(edge, segmentsOf, nodes));
  const own = outline?.edges.flatMap((edge) => drawnEdge(edge, segmentsOf, nodes));
  const levels = new Map(
    [...nodes.values()].flatMap(({ path, inner }): [string, Level][] => (inner ? [[path, inner]] : [])),
  );
  levels.set("", top);
  for (const edge of own ?? []) addEdge(levels, edge);
  for (const edge of edges) if (!own || levelOf(edge) !== "") addEdge(levels, edge);
  joinEnds(levels, edges, nodes);
  return top;
}

function insert(
  top: Level,
  nodes: Map<string, LevelNode>,
  segments: Segments,
  { data, metadata }: GraphDrawing["nodes"][number],
): void {
  let level = top;
  for (const [index, name] of segments.entries()) {
    const path = segments.slice(0, index + 1).join(":");
    const last = index === segments.length - 1;
    const known = nodes.get(path);
    const node = known ?? { path, name, kind: kindOf(name) };
    if (!known) {
      nodes.set(path, node);
      level.nodes.push(node);
    }
    if (last) {
      node.data ??= data;
      node.metadata ??= metadata;
      return;
    }
    node.kind = "step";
    level = node.inner ??= { path, nodes: [], edges: new Map() };
  }
}

function kindOf(name: string): LevelNode["kind"] {
  if (name === "__start__") return "start";
  return name === "__end__" ? "end" : "step";
}

function drawnEdge(
  { source, target, conditional, data }: GraphDrawing["edges"][number],
  segmentsOf: (id: string | number) => Segments | undefined,
  nodes: ReadonlyMap<string, LevelNode>,
): DrawnEdge[] {
  const [from, to] = [segmentsOf(source), segmentsOf(target)];
  if (!from || !to || !nodes.has(from.join(":")) || !nodes.has(to.join(":"))) return [];
  // A condition without a name is drawn with its target's name, which the box already shows.
  const label = typeof data === "string" && data !== "" && data !== to.at(-1) ? { label: data } : {};
  return [{ source: from, target: to, conditional: conditional === true, ...label }];
}

function levelOf(edge: DrawnEdge): string {
  return edge.source.slice(0, sharedDepth(edge)).join(":");
}

/** Adds an edge to the level that has both of its ends. */
function addEdge(levels: ReadonlyMap<string, Level>, edge: DrawnEdge): void {
  const depth = sharedDepth(edge) + 1;
  const [source, target] = [edge.source.slice(0, depth).join(":"), edge.target.slice(0, depth).join(":")];
  const level = levels.get(parentOf(edge.source, depth));
  if (!level) return;
  putEdge(level, source, target, edge.conditional, edge.label);
}

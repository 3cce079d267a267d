import { type DrawnEdge, type Level, type LevelNode, putEdge, sharedDepth } from "./level.ts";

/**
 * Adds a start and an end to each subgraph that has none: LangGraph removes them from drawings and joins the first and
 * the last node with the nodes outside. `taken` has all nodes by path.
 */
export function joinEnds(
  levels: ReadonlyMap<string, Level>,
  edges: readonly DrawnEdge[],
  taken: ReadonlyMap<string, LevelNode>,
): void {
  const crossing = crossingsOf(edges);
  for (const level of levels.values()) {
    if (level.path === "") continue;
    const has = (kind: LevelNode["kind"]) => level.nodes.some((node) => node.kind === kind);
    const steps = level.nodes.map(({ path }) => path);
    const [noStart, noEnd] = [!has("start"), !has("end")];
    const others = [...level.edges.values()].filter(({ source, target }) => source !== target);
    const targets = new Set(others.map(({ target }) => target));
    const sources = new Set(others.map(({ source }) => source));
    if (noStart) {
      const first = steps.filter((path) => crossing.entered.has(path));
      const roots = steps.filter((path) => !targets.has(path));
      const start = addEnd(level, taken, "start");
      for (const path of start ? (first.length > 0 ? first : roots) : []) putEdge(level, start ?? "", path, false);
    }
    if (noEnd) {
      const last = steps.filter((path) => crossing.left.has(path));
      const leaves = steps.filter((path) => !sources.has(path));
      const end = addEnd(level, taken, "end");
      for (const path of end ? (last.length > 0 ? last : leaves) : []) putEdge(level, path, end ?? "", false);
    }
  }
}

/** Returns the path of the new node; undefined if another node has it already. */
function addEnd(level: Level, taken: ReadonlyMap<string, LevelNode>, kind: "start" | "end"): string | undefined {
  const name = `__${kind}__`;
  const path = `${level.path}:${name}`;
  if (taken.has(path)) return undefined;
  level.nodes[kind === "start" ? "unshift" : "push"]({ path, name, kind });
  return path;
}

/** Returns the nodes by which edges enter and leave subgraphs, at every level that they cross. */
function crossingsOf(edges: readonly DrawnEdge[]): { entered: Set<string>; left: Set<string> } {
  const [entered, left] = [new Set<string>(), new Set<string>()];
  for (const edge of edges) {
    const outside = sharedDepth(edge) + 1;
    for (let depth = outside + 1; depth <= edge.source.length; depth++) left.add(edge.source.slice(0, depth).join(":"));
    for (let depth = outside + 1; depth <= edge.target.length; depth++) {
      entered.add(edge.target.slice(0, depth).join(":"));
    }
  }
  return { entered, left };
}

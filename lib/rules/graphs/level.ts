import { edgeKey } from "./edge-key.ts";
import type { Segments } from "./node-paths.ts";

/** A node of a graph or subgraph. Its path is the names of nodes from the top, joined by `:`. */
export interface LevelNode {
  path: string;
  name: string;
  kind: "start" | "end" | "step";
  /** The node as the drawing has it. */
  data?: unknown;
  metadata?: unknown;
  /** Set for a subgraph. */
  inner?: Level;
}

export interface LevelEdge {
  /** `edgeKey` of its ends; no two edges of a drawing have the same. */
  key: string;
  source: string;
  target: string;
  conditional: boolean;
  /** Names of the conditions, joined by commas. */
  label?: string;
}

/** A graph or subgraph: `path` is empty at the top. Both ends of an edge are nodes of the same level. */
export interface Level {
  path: string;
  nodes: LevelNode[];
  /** The edges, by their keys. */
  edges: Map<string, LevelEdge>;
}

/** An edge as the drawing gives it, by the segments of its ends. */
export interface DrawnEdge {
  source: Segments;
  target: Segments;
  conditional: boolean;
  label?: string;
}

/** Returns the number of leading segments that the parents of both ends share. */
export function sharedDepth({ source, target }: DrawnEdge): number {
  const most = Math.min(source.length, target.length) - 1;
  let depth = 0;
  while (depth < most && source[depth] === target[depth]) depth++;
  return depth;
}

/** Adds an edge to a level. Edges between the same two nodes become one. */
export function putEdge(level: Level, source: string, target: string, conditional: boolean, label?: string): void {
  const key = edgeKey(source, target);
  const same = level.edges.get(key);
  if (!same) {
    level.edges.set(key, { key, source, target, conditional, ...(label === undefined ? {} : { label }) });
    return;
  }
  same.conditional &&= conditional;
  if (label !== undefined && !(same.label ?? "").split(", ").includes(label)) {
    same.label = same.label === undefined ? label : `${same.label}, ${label}`;
  }
}

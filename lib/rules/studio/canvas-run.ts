import { edgeKey } from "../graphs/edge-key.ts";
import { namespaceOf } from "./namespace.ts";
import { type StudioRun, type TaskStatus, waitsFor } from "./run.ts";

/** The work of a run at one node of the drawing. */
export interface NodeRun {
  readonly status: TaskStatus;
  /** The number of tasks that were started. */
  readonly count: number;
  readonly runningCount?: number;
  /** ms of the task that ended last. */
  readonly durationMs?: number;
}

/** The work of a run so far, by the names of a drawing. */
export interface CanvasRun {
  /** The nodes by path: names joined by `:`. */
  readonly nodes: ReadonlyMap<string, NodeRun>;
  /** The edges by `edgeKey`. */
  readonly edges: ReadonlyMap<string, "taken" | "newest">;
  /** Paths of nodes that ran. If there is a graph in one of them, nothing was told of it. */
  readonly untold: ReadonlySet<string>;
}

/** Returns what the canvas shows of a run. */
export function canvasRunOf(run: StudioRun): CanvasRun {
  const nodes = new Map<string, NodeRun>();
  const untold = new Set<string>();
  for (const { node, status, runs, counts, lastDuration, lastTask } of run.nodes) {
    const task = run.tasks.get(lastTask);
    if (runs > 0 && task && !run.graphs.get(namespaceOf(task))) untold.add(node);
    nodes.set(node, {
      status,
      count: runs,
      ...(counts.running && { runningCount: counts.running }),
      ...(lastDuration !== undefined && { durationMs: lastDuration }),
    });
  }
  if (run.nodes.size > 0) nodes.set("__start__", { status: "done", count: 1 });
  const hasEnded = run.status === "success" && waitsFor(run) === undefined;
  if (hasEnded) nodes.set("__end__", { status: "done", count: 1 });
  return { nodes, edges: edgesOf(run, hasEnded), untold };
}

/**
 * Returns the edges that were taken. A run that has ended has no newest edge, because nothing is on its way. The moves of
 * earlier runs were told at -1.
 */
function edgesOf({ moves }: StudioRun, hasEnded: boolean): Map<string, "taken" | "newest"> {
  const edges = new Map<string, "taken" | "newest">();
  let newest = 0;
  for (const move of moves) newest = Math.max(newest, hasEnded ? Infinity : move.toldAt);
  for (const { source, target, toldAt } of moves) {
    for (const key of edgesBetween(source.split(":"), target.split(":"))) {
      if (toldAt === newest || !edges.has(key)) edges.set(key, toldAt === newest ? "newest" : "taken");
    }
  }
  return edges;
}

/** Returns the edges of a way between two nodes: out of the subgraphs of the first, and into those of the second. */
function edgesBetween(from: readonly string[], to: readonly string[]): string[] {
  let same = 0;
  while (same < from.length - 1 && same < to.length - 1 && from[same] === to[same]) same++;
  const pathTo = (names: readonly string[], depth: number) => names.slice(0, depth).join(":");
  const edges = [edgeKey(pathTo(from, same + 1), pathTo(to, same + 1))];
  for (let depth = same + 1; depth < from.length; depth++) {
    edges.push(edgeKey(pathTo(from, depth + 1), `${pathTo(from, depth)}:__end__`));
  }
  for (let depth = same + 1; depth < to.length; depth++) {
    edges.push(edgeKey(`${pathTo(to, depth)}:__start__`, pathTo(to, depth + 1)));
  }
  return edges;
}

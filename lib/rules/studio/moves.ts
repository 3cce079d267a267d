/** Moves of a run from node to node. */
import { edgeKey } from "../graphs/edge-key.ts";
import { exitsOf, graphIn } from "./graphs.ts";
import { tasksAround } from "./namespace.ts";
import type { StudioRun, StudioTask } from "./run.ts";

const START = "__start__";
const END = "__end__";

function withMove(run: StudioRun, source: string, target: string): StudioRun {
  const key = edgeKey(source, target);
  const count = (run.moves.get(key)?.count ?? 0) + 1;
  return { ...run, moves: run.moves.with(key, { source, target, count, toldAt: run.seen }) };
}

/** Adds the moves by which a new task was reached. */
export function withMoves(run: StudioRun, task: StudioTask): StudioRun {
  return sourcesInto(run, task.namespace).reduce((next, source) => withMove(next, source, task.node), run);
}

/** Returns the nodes from which a graph's step was reached; for the first step of an inner graph, those of its task. */
function sourcesInto(run: StudioRun, namespace: string): readonly string[] {
  const { sources } = graphIn(run, namespace);
  if (sources) return sources;
  const around = tasksAround(namespace).at(-1);
  return around ? sourcesInto(run, around.outer) : [START];
}

/** Adds the moves to the end of the run's own graph. */
export function withEnd(run: StudioRun): StudioRun {
  return exitsOf(run, graphIn(run, "")).reduce((next, source) => withMove(next, source, END), run);
}

/**
 * Adds the moves from nodes that ended in earlier steps: a node that waits for several is triggered by `join:a+b:c`.
 * Names that hold a plus sign are missed.
 */
export function withJoins(run: StudioRun, task: StudioTask, triggers: unknown): StudioRun {
  if (!Array.isArray(triggers)) return run;
  const prefix = task.path.slice(0, -1);
  const known = new Set(sourcesInto(run, task.namespace));
  let next = run;
  for (const trigger of triggers) {
    if (typeof trigger !== "string" || !trigger.startsWith("join:") || !trigger.endsWith(`:${task.name}`)) continue;
    for (const name of trigger.slice("join:".length, -task.name.length - 1).split("+")) {
      const source = [...prefix, name].join(":");
      if (!known.has(source) && run.nodes.get(source)) next = withMove(next, source, task.node);
    }
  }
  return next;
}

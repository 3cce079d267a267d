/** The graphs of a run, each in a namespace, and the steps in which they are. */
import { namespaceOf, pathOf } from "./namespace.ts";
import { KeyedList } from "./keyed-list.ts";
import type { StudioGraph, StudioRun, StudioStep } from "./run.ts";

export type EnteredGraph = StudioGraph & { readonly stepKey: string };

/** Returns what is known of the graph of a namespace. */
export function graphIn(run: StudioRun, namespace: string): StudioGraph {
  return run.graphs.get(namespace) ?? { namespace, path: pathOf(namespace), unnumbered: 0, next: [] };
}

/** Returns a graph that has entered a step. */
export function graphOf(run: StudioRun, namespace: string): EnteredGraph {
  const graph = graphIn(run, namespace);
  return { ...graph, stepKey: graph.stepKey ?? "" };
}

export function withGraph(run: StudioRun, graph: StudioGraph): StudioRun {
  return { ...run, graphs: run.graphs.with(graph.namespace, graph) };
}

/** The namespace may hold any sign, but what comes after the last `#` holds none. Each branch has steps of its own. */
export function stepKeyOf({ namespace, branch = 0 }: StudioGraph, step: number | string): string {
  return branch === 0 ? `${namespace}#${step}` : `${namespace}#${step}/${branch}`;
}

/** Returns the run with an entry of its log. */
export function ensureStep(run: StudioRun, namespace: string, key: string, step: number | undefined): StudioRun {
  if (run.steps.get(key)) return run;
  const entry: StudioStep = {
    key,
    namespace,
    path: pathOf(namespace),
    ...(step === undefined ? {} : { step }),
    tasks: [],
    messages: KeyedList.empty(),
    messagesLeftOut: 0,
    custom: { first: [], last: [], leftOut: 0 },
  };
  return { ...run, steps: run.steps.with(key, entry) };
}

/** Returns whether a part of a run holds all changes already. It then keeps its identity. */
export function holds<T extends object>(part: T, changes: Partial<T>): boolean {
  const keys = Object.keys(changes) as (keyof T)[];
  return keys.every((key) => Object.hasOwn(part, key) && Object.is(part[key], changes[key]));
}

/** Changes an entry of the log. */
export function withStep(run: StudioRun, step: StudioStep, changes: Partial<StudioStep>): StudioRun {
  return holds(step, changes) ? run : { ...run, steps: run.steps.with(step.key, { ...step, ...changes }) };
}

/** Moves a graph to a step. Without a number it stays in the step under way, unless that has ended. */
export function enterStep(run: StudioRun, namespace: string, step: number | undefined): StudioRun {
  const graph = graphIn(run, namespace);
  if (step === undefined && graph.stepKey !== undefined && graph.isStepOver !== true) return run;
  const isNumbered = step !== undefined;
  const key = stepKeyOf(graph, isNumbered ? step : `?${graph.unnumbered}`);
  if (key === graph.stepKey) return run;
  const { step: _step, sources: _sources, isStepOver: _over, ...rest } = graph;
  const sources = sourcesAfter(run, graph);
  const entered: StudioGraph = {
    ...rest,
    stepKey: key,
    ...(isNumbered ? { step } : {}),
    unnumbered: graph.unnumbered + (isNumbered ? 0 : 1),
    ...(sources === undefined ? {} : { sources }),
  };
  return ensureStep(withGraph(run, entered), namespace, key, step);
}

/** Returns the nodes from which the next step is reached: those of the step under way, if it has tasks. */
function sourcesAfter(run: StudioRun, graph: StudioGraph): readonly string[] | undefined {
  const exits = exitsOf(run, graph);
  return exits.length > 0 ? exits : graph.sources;
}

/** Returns the nodes of the step under way, and the last nodes of the graphs in them. */
export function exitsOf(run: StudioRun, graph: StudioGraph): string[] {
  const nodes = new Set<string>();
  const ids = graph.stepKey === undefined ? [] : (run.steps.get(graph.stepKey)?.tasks ?? []);
  for (const id of ids) {
    const task = run.tasks.get(id);
    if (!task || task.namespace !== graph.namespace) continue;
    nodes.add(task.node);
    const inner = run.graphs.get(namespaceOf(task));
    if (inner) for (const node of exitsOf(run, inner)) nodes.add(node);
  }
  return [...nodes];
}

/** Folds checkpoints, and states where there are no checkpoints. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { ensureStep, enterStep, graphIn, graphOf, stepKeyOf, withGraph, withStep } from "./graphs.ts";
import { withEnd } from "./moves.ts";
import { applyDifference, differenceOf, type StateDifference } from "./state-difference.ts";
import type { StudioGraph, StudioRun } from "./run.ts";
import { endTask, outcomeOf } from "./task-events.ts";
import { ensureTask, isReplaced, settleStep, STEP_REPLACED, STEP_SAVED } from "./tasks.ts";

const START = "__start__";

export interface CheckpointTelling {
  readonly namespace: string;
  readonly step?: number;
  /** ms since the epoch. */
  readonly at?: number;
  /** Set when the results that a checkpoint tells are those of a run that went on from it. */
  readonly isHistory?: true;
}

interface Told {
  readonly id: string | undefined;
  readonly parent: string | undefined;
  readonly step: number | undefined;
  readonly source: string | undefined;
  readonly next: readonly string[];
}

export function takeCheckpoint(run: StudioRun, payload: JsonObject, telling: CheckpointTelling): StudioRun {
  const { namespace } = telling;
  const told = readTold(payload, telling.step);
  const before = graphIn(run, namespace);
  const isKnown = told.id !== undefined && told.id === before.checkpoint;
  const left = isKnown ? run : onBranch(leave(run, before, told), namespace, told);
  const saved = isKnown ? left : save(left, payload, told, telling);
  const next = namespace === "" ? { ...saved, next: told.next } : saved;
  const isEnd = namespace === "" && told.next.length === 0 && told.source === "loop" && !isKnown;
  return takeNext(isEnd ? withEnd(next) : next, payload, told, telling);
}

function readTold(payload: JsonObject, step: number | undefined): Told {
  const metadata = isObject(payload.metadata) ? payload.metadata : {};
  return {
    id: idOf(payload.checkpoint) ?? idOf(payload.config),
    parent: idOf(payload.parent_checkpoint) ?? idOf(payload.parent_config),
    step: [metadata.step, step].find((one) => typeof one === "number"),
    source: typeof metadata.source === "string" ? metadata.source : undefined,
    next: Array.isArray(payload.next) ? payload.next.filter((one): one is string => typeof one === "string") : [],
  };
}

function idOf(position: unknown): string | undefined {
  if (!isObject(position)) return undefined;
  if (typeof position.checkpoint_id === "string") return position.checkpoint_id;
  return isObject(position.configurable) ? idOf(position.configurable) : undefined;
}

/** Ends the step under way: it was saved, or something else took its place. */
function leave(run: StudioRun, graph: StudioGraph, { source, step }: Told): StudioRun {
  if (graph.stepKey === undefined) return run;
  // The step under way follows this checkpoint, which is told again by a run that goes on from it.
  if (source === "loop" && step !== undefined && graph.step === step + 1) return run;
  const isSaved = source === "loop" && (graph.step === undefined || graph.step === step);
  return settleStep(run, graph.stepKey, isSaved ? STEP_SAVED : STEP_REPLACED);
}

/** Begins a branch when input, an update or a fork follows another checkpoint than the newest. */
function onBranch(run: StudioRun, namespace: string, { source, parent }: Told): StudioRun {
  const graph = graphIn(run, namespace);
  const isNext =
    source === "loop" || graph.checkpoint === undefined || parent === undefined || parent === graph.checkpoint;
  if (isNext) return run;
  const { stepKey: _key, step: _step, ...rest } = graph;
  return withGraph(run, { ...rest, sources: [], branch: (graph.branch ?? 0) + 1 });
}

/** Adds a checkpoint and the change of state to the entry of its step. */
function save(run: StudioRun, payload: JsonObject, told: Told, { namespace, at }: CheckpointTelling): StudioRun {
  const graph = graphIn(run, namespace);
  const { step, id, parent, source } = told;
  const key = keyOf(run, graph, told);
  const entered = key === undefined ? enterStep(run, namespace, undefined) : ensureStep(run, namespace, key, step);
  const stepKey = key ?? graphOf(entered, namespace).stepKey;
  const entry = entered.steps.get(stepKey);
  if (!entry) return entered;
  const difference = "values" in payload ? differenceFrom(graph, parent, payload.values) : undefined;
  const logged = withStep(entered, entry, {
    ...(step === undefined ? {} : { step }),
    ...(source === undefined ? {} : { source }),
    ...(id === undefined ? {} : { checkpoint: id }),
    ...(parent === undefined ? {} : { parentCheckpoint: parent }),
    ...(at === undefined ? {} : { savedAt: at }),
    ...(difference ? { difference } : {}),
  });
  const { values: _values, checkpoint: _checkpoint, ...rest } = graphIn(logged, namespace);
  const values = difference ? applyDifference(valuesBefore(graph), difference) : payload.values;
  return withGraph(logged, {
    ...rest,
    ...("values" in payload ? { values } : {}),
    ...(id === undefined ? {} : { checkpoint: id }),
  });
}

/** Returns the key of the entry of a checkpoint; undefined for a step of its own without a number. */
function keyOf(run: StudioRun, graph: StudioGraph, { step, source }: Told): string | undefined {
  if (step !== undefined && graph.step !== step) return stepKeyOf(graph, step);
  const replaced = graph.stepKey === undefined ? undefined : run.steps.get(graph.stepKey);
  // An edit by hand has the number of the step that it replaces, of which tasks may have run.
  const isEdit = step !== undefined && (source === "update" || source === "fork");
  const isApart = isEdit && replaced?.tasks.some((id) => hasRun(run, id));
  return isApart ? stepKeyOf(graph, `${step} ${source}`) : graph.stepKey;
}

function hasRun(run: StudioRun, id: string): boolean {
  const task = run.tasks.get(id);
  return task !== undefined && !isReplaced(task);
}

/** Compares with the state before, if that is the one at the parent. A checkpoint without parent begins from nothing. */
function differenceFrom(graph: StudioGraph, parent: string | undefined, values: unknown): StateDifference | undefined {
  const isFirst = parent === undefined && graph.checkpoint === undefined;
  const isNext = parent !== undefined && graph.checkpoint === parent && graph.values !== undefined;
  return isFirst || isNext ? differenceOf(valuesBefore(graph), values) : undefined;
}

const valuesBefore = (graph: StudioGraph): unknown => graph.values ?? {};

/** Adds the tasks that a checkpoint tells as next. */
function takeNext(run: StudioRun, payload: JsonObject, told: Told, telling: CheckpointTelling): StudioRun {
  const { namespace, isHistory } = telling;
  const graph = { ...graphIn(run, namespace), next: told.next.filter((name) => name !== START) };
  const isFresh = told.next.includes(START);
  let next = withGraph(run, isFresh ? begun(graph) : withSources(graph));
  const step = told.step === undefined ? {} : { step: told.step + 1 };
  for (const task of Array.isArray(payload.tasks) ? payload.tasks.filter(isObject) : []) {
    const { id, name } = task;
    if (typeof id !== "string" || typeof name !== "string" || name === START) continue;
    next = takeOutcome(ensureTask(next, { namespace, id, name, ...step }), id, task, isHistory === true);
  }
  return next;
}

/** The step after the input of a graph is reached from its start. */
function begun({ stepKey: _key, step: _step, sources: _sources, ...graph }: StudioGraph): StudioGraph {
  return graph.namespace === "" ? { ...graph, sources: [START] } : graph;
}

/** A run that goes on from a checkpoint does not tell from where its first step was reached. */
function withSources(graph: StudioGraph): StudioGraph {
  const isUnknown = graph.namespace === "" && graph.stepKey === undefined && !graph.sources;
  return isUnknown ? { ...graph, sources: [] } : graph;
}

/** Takes what a checkpoint tells of a task: what it wrote, asked or failed with before the run went on from here. */
function takeOutcome(run: StudioRun, id: string, told: JsonObject, isHistory: boolean): StudioRun {
  const task = run.tasks.get(id);
  if (!task || (task.status !== "waiting" && task.status !== "unknown")) return run;
  const outcome = outcomeOf(told, task);
  if (outcome.status === "done" && (told.result ?? undefined) === undefined) return run;
  return endTask(run, task, outcome.status === "done" && !isHistory ? { ...outcome, isCached: true } : outcome);
}

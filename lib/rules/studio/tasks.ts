/** Changes of tasks, and what follows from them for nodes and steps. */
import { enterStep, graphIn, graphOf, withGraph } from "./graphs.ts";
import { namespaceOf, pathOf } from "./namespace.ts";
import {
  type StatusCounts,
  type StudioNode,
  type StudioRun,
  type StudioTask,
  summaryStatus,
  type TaskStatus,
} from "./run.ts";
import { withMoves } from "./moves.ts";

/** Stores a task, and counts it at its node. */
export function withTask(run: StudioRun, task: StudioTask): StudioRun {
  const before = run.tasks.get(task.id);
  if (before === task) return run;
  const node = run.nodes.get(task.node);
  return {
    ...run,
    tasks: run.tasks.with(task.id, task),
    nodes: run.nodes.with(task.node, nodeAfter(node, before, task)),
  };
}

function nodeAfter(node: StudioNode | undefined, before: StudioTask | undefined, task: StudioTask): StudioNode {
  const counts = recounted(node?.counts ?? NO_COUNTS, countedStatus(before), countedStatus(task));
  const { startedAt, endedAt } = task;
  const isEnd = endedAt !== undefined && endedAt !== before?.endedAt && startedAt !== undefined;
  const lastDuration = isEnd ? Math.max(0, endedAt - startedAt) : node?.lastDuration;
  const after: StudioNode = {
    node: task.node,
    path: task.path,
    counts,
    status: isEmpty(counts) ? task.status : summaryStatus(counts),
    runs: (node?.runs ?? 0) + runsOf(task) - runsOf(before),
    ...(lastDuration === undefined ? {} : { lastDuration }),
    lastTask: before && node ? node.lastTask : task.id,
  };
  return node && isSameNode(node, after) ? node : after;
}

const runsOf = (task: StudioTask | undefined): number => (task && task.attempt > 0 && !task.isCached ? 1 : 0);

const NO_COUNTS: StatusCounts = {};

const isEmpty = (counts: StatusCounts): boolean => Object.keys(counts).length === 0;

/** Returns whether a task was told as next and never ran, because something else took its place. */
export const isReplaced = ({ status, attempt }: StudioTask): boolean => status === "cancelled" && attempt === 0;

/** A task that was replaced says nothing of its node. */
const countedStatus = (task: StudioTask | undefined): TaskStatus | undefined =>
  task && isReplaced(task) ? undefined : task?.status;

function recounted(counts: StatusCounts, from: TaskStatus | undefined, to: TaskStatus | undefined): StatusCounts {
  if (from === to) return counts;
  const added: StatusCounts = to === undefined ? counts : { ...counts, [to]: (counts[to] ?? 0) + 1 };
  if (from === undefined) return added;
  const { [from]: less = 0, ...others } = added;
  return less > 1 ? { ...others, [from]: less - 1 } : others;
}

function isSameNode(a: StudioNode, b: StudioNode): boolean {
  return a.counts === b.counts && a.runs === b.runs && a.lastDuration === b.lastDuration && a.lastTask === b.lastTask;
}

export interface TaskPlace {
  readonly namespace: string;
  readonly id: string;
  readonly name: string;
  /** The number of the step, if it was told. */
  readonly step?: number;
}

/** Returns the run with a task that waits, unless it is known. A task stays in the step in which it was told first. */
export function ensureTask(run: StudioRun, place: TaskPlace): StudioRun {
  if (run.tasks.get(place.id)) return run;
  const { namespace, id, name } = place;
  const entered = enterStep(leaveStep(run, namespace, place.step), namespace, place.step);
  const { stepKey, step } = graphOf(entered, namespace);
  const entry = entered.steps.get(stepKey);
  if (!entry) return entered;
  const path = [...pathOf(namespace), name];
  const task: StudioTask = {
    id,
    name,
    path,
    node: path.join(":"),
    namespace,
    stepKey,
    ...(step === undefined ? {} : { step }),
    status: "waiting",
    interrupts: [],
    attempt: 0,
    isCached: false,
    toldAt: run.seen,
  };
  const steps = entered.steps.with(stepKey, { ...entry, tasks: [...entry.tasks, id] });
  return withMoves(withTask({ ...entered, steps }, task), task);
}

/** A task of a later step tells that the step under way has ended, and without numbers so does one after all have ended. */
function leaveStep(run: StudioRun, namespace: string, step: number | undefined): StudioRun {
  const graph = graphIn(run, namespace);
  if (graph.stepKey === undefined) return run;
  if (step !== undefined) {
    if (graph.step === undefined || step === graph.step) return run;
    return settleStep(run, graph.stepKey, step > graph.step ? STEP_PASSED : STEP_REPLACED);
  }
  // If the stream has states, each of them marks the end of a step.
  if (graph.step !== undefined || graph.values !== undefined) return run;
  const tasks = run.steps.get(graph.stepKey)?.tasks ?? [];
  const isOver = tasks.length > 0 && !tasks.some((id) => isUnderWay(run.tasks.get(id)));
  return isOver ? withGraph(run, { ...graph, isStepOver: true }) : run;
}

const isUnderWay = (task: StudioTask | undefined): boolean => task?.status === "running" || task?.status === "waiting";

/** How a graph went on, from which follows what became of tasks that did not tell their end. */
export interface Settlement {
  /** The status of a running task when no event is missing. */
  readonly running: TaskStatus;
  /** The status of a task that waits when no event is missing. */
  readonly waiting: TaskStatus;
  /** The status of a task that waits for an answer. */
  readonly interrupted: TaskStatus;
}

/** All tasks of a step had written when its checkpoint was saved. */
export const STEP_SAVED: Settlement = { running: "done", waiting: "done", interrupted: "done" };
/** A later step began, but no checkpoint tells how this one ended. */
const STEP_PASSED: Settlement = { running: "unknown", waiting: "unknown", interrupted: "unknown" };
/** Other input, an update or a fork took the place of a step that had not ended. */
export const STEP_REPLACED: Settlement = { running: "unknown", waiting: "cancelled", interrupted: "cancelled" };

const KEPT = { waiting: "waiting", interrupted: "interrupted" } as const;
/** Tasks that were under way when their run was stopped were stopped with it. */
export const STOPPED: Settlement = { running: "cancelled", ...KEPT };
/** The worker of a run was lost, or its stream ended without a word. */
export const LOST: Settlement = { running: "unknown", ...KEPT };

/** Ends the open tasks of a step. What may have been told in a missing event is unknown. */
export function settleStep(run: StudioRun, stepKey: string, settlement: Settlement): StudioRun {
  const ids = run.steps.get(stepKey)?.tasks ?? [];
  return ids.reduce((next, id) => settleTask(next, id, settlement), run);
}

function settleTask(run: StudioRun, id: string, settlement: Settlement): StudioRun {
  const task = run.tasks.get(id);
  if (!task || !isOpen(task.status)) return run;
  const told = settlement[task.status];
  const isMissing = run.gapAt > task.toldAt;
  // A question stays open until it is told otherwise; of anything else the end may be in the missing events.
  const status = isMissing && !(task.status === "interrupted" && told === "interrupted") ? "unknown" : told;
  if (status === task.status) return run;
  // Tasks with results from a cache get no event of their end, although their step is saved.
  const isCached = status === "done" && settlement === STEP_SAVED && run.tellsTasks;
  const attempt = status === "done" ? Math.max(1, task.attempt) : task.attempt;
  const settled = withTask(withoutInterrupts(run, task), { ...task, status, attempt, isCached });
  return settleInner(settled, task, settlementOf(status));
}

const isOpen = (status: TaskStatus): status is "running" | "waiting" | "interrupted" =>
  status === "running" || status === "waiting" || status === "interrupted";

/** Ends all open tasks of a run. */
export function settleAll(run: StudioRun, settlement: Settlement): StudioRun {
  let next = run;
  for (const { id } of run.tasks) next = settleTask(next, id, settlement);
  return next;
}

/** Returns what follows from the end of a task for the tasks of the graph in it. */
export function settlementOf(outer: TaskStatus): Settlement {
  switch (outer) {
    // An inner task that hands over to a node of the outer graph (`Command.PARENT`) tells no end.
    case "done":
      return { running: "done", waiting: "cancelled", interrupted: "cancelled" };
    case "failed":
    case "cancelled":
      return { running: "cancelled", waiting: "waiting", interrupted: "interrupted" };
    case "interrupted":
    case "running":
    case "unknown":
    case "waiting":
      return { running: "unknown", waiting: "waiting", interrupted: "interrupted" };
  }
}

/** Ends the open tasks of the graph in a task, and drops its state. */
export function settleInner(run: StudioRun, task: StudioTask, settlement: Settlement): StudioRun {
  let next = run;
  const own = namespaceOf(task);
  for (let again = 0, namespace = own; ; namespace = `${own}|${++again}`) {
    const graph = next.graphs.get(namespace);
    if (!graph) return next;
    if (graph.stepKey !== undefined) next = settleStep(next, graph.stepKey, settlement);
    const { values: _values, ...rest } = graph;
    next = { ...next, graphs: next.graphs.with(namespace, rest) };
  }
}

/** Removes the interrupts of a task from those that are open. */
export function withoutInterrupts(run: StudioRun, task: StudioTask): StudioRun {
  if (run.interrupts.length === 0) return run;
  const ids = new Set(task.interrupts.map(({ id }) => id));
  const interrupts = run.interrupts.filter((one) => one.task !== task.id && !ids.has(one.id));
  return interrupts.length === run.interrupts.length ? run : { ...run, interrupts };
}

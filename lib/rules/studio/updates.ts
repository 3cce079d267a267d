/** Folds `updates` and `values`, which tell less than tasks and checkpoints: no ids, no starts, no steps. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { enterStep, graphIn, graphOf, withGraph, withStep } from "./graphs.ts";
import { applyDifference, differenceOf } from "./state-difference.ts";
import type { StudioRun, StudioTask } from "./run.ts";
import { endTask, interruptsOf, withInterrupts } from "./task-events.ts";
import { ensureTask, settleStep } from "./tasks.ts";

const INTERRUPT = "__interrupt__";
const METADATA = "__metadata__";

/** Takes what nodes wrote, by the names of the nodes. */
export function takeUpdates(run: StudioRun, data: JsonObject, namespace: string): StudioRun {
  const about = data[METADATA];
  const isCached = isObject(about) && about.cached === true;
  let next = withInterrupts(run, interruptsOf(data[INTERRUPT]));
  // Events of tasks tell the same and more, but not that a result came from a cache.
  if (run.tellsTasks && !isCached) return next;
  for (const name of Object.keys(data)) {
    if (name === INTERRUPT || name === METADATA) continue;
    const [known, task] = openTask(next, namespace, name);
    if (!task) continue;
    const outcome = { status: "done", interrupts: [], result: data[name] } as const;
    next = endTask(known, task, isCached ? { ...outcome, isCached } : outcome);
  }
  return next;
}

/** Returns the first open task of a node in the step under way. One that nobody told of is added. */
function openTask(run: StudioRun, namespace: string, name: string): [StudioRun, StudioTask?] {
  const { stepKey, values, step } = graphIn(run, namespace);
  const ids = stepKey === undefined ? [] : (run.steps.get(stepKey)?.tasks ?? []);
  const tasks = ids.map((id) => run.tasks.get(id)).filter((task) => task !== undefined);
  const open = tasks.find((task) => task.name === name && (task.status === "waiting" || task.status === "running"));
  if (open) return [run, open];
  if (run.tellsTasks) return [run];
  // If the stream has no state after each step, every update counts as a step of its own.
  const isStep = values === undefined && step === undefined && tasks.length > 0;
  const left = isStep ? withGraph(run, { ...graphIn(run, namespace), isStepOver: true }) : run;
  const id = `${namespace}#${run.seen}:${name}`;
  const known = ensureTask(left, { namespace, id, name });
  return [known, known.tasks.get(id)];
}

const SAID_NOTHING = { running: "unknown", waiting: "unknown", interrupted: "interrupted" } as const;

/** Takes a graph's state after a step. Where checkpoints are told, they tell the same and more. */
export function takeValues(run: StudioRun, data: JsonObject, namespace: string): StudioRun {
  const { [INTERRUPT]: raised, ...values } = data;
  const next = withInterrupts(run, interruptsOf(raised));
  const graph = graphIn(next, namespace);
  if (graph.checkpoint !== undefined || (raised !== undefined && Object.keys(values).length === 0)) return next;
  const difference = differenceOf(graph.values ?? {}, values);
  // The state is told again with each of the interrupts.
  if (raised !== undefined && difference.length === 0) return next;
  const entered = enterStep(next, namespace, undefined);
  const { stepKey } = graphOf(entered, namespace);
  const step = entered.steps.get(stepKey);
  if (!step) return entered;
  const isFirst = graph.values === undefined && step.tasks.length > 0;
  const told = settleStep(isFirst ? entered : withStep(entered, step, { difference }), stepKey, SAID_NOTHING);
  const known = graph.values === undefined ? values : applyDifference(graph.values, difference);
  return withGraph(told, { ...graphIn(told, namespace), values: known, isStepOver: true });
}

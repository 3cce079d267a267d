/** The entries of the log of a run: its steps as a reader needs them. */
import type { StudioRun, StudioStep, StudioTask } from "./run.ts";
import { isReplaced } from "./tasks.ts";

/**
 * Returns the steps that the log shows. One without tasks is shown if it changed the state, or if a person did. What the
 * input changed is told by the step after it.
 */
export function logEntriesOf(run: StudioRun): StudioStep[] {
  return [...run.steps].filter((step) => isShown(run, step));
}

function isShown(run: StudioRun, step: StudioStep): boolean {
  const { source, difference, namespace, isGone } = step;
  if (isGone || source === "update" || source === "fork") return true;
  if (step.tasks.some((id) => shownTask(run, id))) return true;
  return namespace === "" && source !== "input" && difference !== undefined && difference.length > 0;
}

/** Returns the tasks that the log shows of a step: those that an edit or new input replaced are left out. */
export function shownTasksOf(run: StudioRun, { tasks }: StudioStep): StudioTask[] {
  return tasks.flatMap((id) => shownTask(run, id) ?? []);
}

function shownTask(run: StudioRun, id: string): StudioTask | undefined {
  const task = run.tasks.get(id);
  return task && !isReplaced(task) ? task : undefined;
}

/**
 * Returns whether a step without tasks wrote the input to the state: LangGraph saves the input, and the state with it as the
 * first step.
 */
export function isInputStep({ steps }: StudioRun, { key, source }: StudioStep): boolean {
  const place = steps.indexOf(key);
  return source === "input" || (source === "loop" && (place <= 0 || steps.at(place - 1)?.source === "input"));
}

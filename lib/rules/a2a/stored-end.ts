/** The end of a task that several servers follow, each by its own clock. */
import type { StoredTask } from "../../protocol/tasks.ts";
import { closeTask, latest, stateOf, type TaskProgress } from "./task-fold.ts";

/** Returns the progress with the end that another server has stored first. */
export function endAsStored(progress: TaskProgress, { state, status_at: at }: StoredTask): TaskProgress {
  const { stages } = progress;
  if (stateOf(progress) !== state || stages.length === 1) return closeTask(progress, state, at);
  return { ...progress, stages: [stages[0], ...stages.slice(1, -1), { ...latest(progress), at }] };
}

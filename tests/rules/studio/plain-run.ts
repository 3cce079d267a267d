import { pastRunsOf } from "../../../lib/rules/studio/history.ts";
import type { StudioRun } from "../../../lib/rules/studio/run.ts";
import type { StateHead } from "../../../lib/rules/studio/state-heads.ts";
import { checkpointIdOf } from "../../../lib/rules/threads/read-state.ts";

/** Returns a run with its lists as arrays, to be compared. */
export function plainRun({ tasks, nodes, steps, graphs, moves, messageSteps, ...run }: StudioRun) {
  return {
    ...run,
    tasks: [...tasks],
    nodes: [...nodes],
    steps: [...steps].map((step) => ({ ...step, messages: [...step.messages] })),
    graphs: [...graphs],
    moves: [...moves],
    messageSteps: [...messageSteps],
  };
}

/** Returns the nodes and statuses of the tasks in each step: `#1 plan:done`. */
export function logOf(run: StudioRun): string[] {
  return [...run.steps].map(({ namespace, step, tasks }) => {
    const told = tasks.map((id) => `${run.tasks.get(id)?.node}:${run.tasks.get(id)?.status}`).toSorted();
    const depth = namespace === "" ? "" : "|".repeat(namespace.split("|").length);
    return [`${depth}#${step}`, ...told].join(" ");
  });
}

/** Returns the ids of the tasks with a status. */
export function tasksThatAre(run: StudioRun, status: string): string[] {
  return [...run.tasks].filter((task) => task.status === status).map(({ id }) => id);
}

/** Returns the newest turn of a history. */
export function newestTurn(history: readonly StateHead[]): StudioRun {
  const run = pastRunsOf(history).runAt(checkpointIdOf(history[0]?.checkpoint) ?? "");
  if (!run) throw new Error("the history is empty");
  return run;
}

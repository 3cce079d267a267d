/** Reads from a thread's history which nodes a run executed, and when. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { Run } from "../../protocol/runs.ts";
import { checkpointIdOf, timeOf } from "../threads/read-state.ts";

/** One execution of a node. Nodes of one step share its times, because a checkpoint is stored for the whole step. */
export interface WaterfallBar {
  readonly id: string;
  readonly node: string;
  readonly step: number;
  /** Times in ms since the epoch. The end is undefined while the node runs. */
  readonly from: number;
  readonly to: number | undefined;
  /** `waiting`: it asked a person, or stands at a breakpoint. `cancelled`: it was stopped with its run. */
  readonly state: "done" | "failed" | "waiting" | "running" | "cancelled";
}

export type RunTimes = Pick<Run, "run_id" | "status" | "started_at" | "ended_at">;

interface StepState {
  readonly id: string;
  readonly parent: string | undefined;
  readonly at: number;
  readonly step: number;
  readonly isOfRun: boolean;
  /** Input was saved here: the open tasks of the checkpoint before it were dropped. */
  readonly isInput: boolean;
  readonly tasks: readonly JsonObject[];
}

/** Returns the bars of a run in the order of their steps. `history`: the thread's states, newest first. Total. */
export function waterfallOf(history: readonly unknown[], run: RunTimes): WaterfallBar[] {
  const states = history.flatMap((state) => readState(state, run.run_id) ?? []);
  const byId = new Map(states.map((state) => [state.id, state]));
  const own = states.filter((state) => state.isOfRun).toReversed();
  const started = timeOf(run.started_at);
  // A run that resumes executes the open tasks of a checkpoint of another run. One with an input of its own drops them.
  const before = own[0]?.isInput ? undefined : byId.get(own[0]?.parent ?? "");
  const first = before && !before.isOfRun ? [{ ...before, at: Math.max(before.at, started ?? before.at) }] : [];
  return [...first, ...own].flatMap((state) => barsOf(state, own.find((one) => one.parent === state.id)?.at, run));
}

function barsOf({ id, at, step, tasks }: StepState, next: number | undefined, run: RunTimes): WaterfallBar[] {
  return tasks
    .filter(({ name }) => name !== "__start__")
    .map((task, place) => ({
      id: typeof task.id === "string" ? task.id : `${id} ${place}`,
      node: String(task.name),
      step: step + 1,
      from: at,
      to: next ?? timeOf(run.ended_at),
      state: next === undefined ? stateOf(task, run) : "done",
    }));
}

/** Returns the state of a task of the run's last checkpoint. */
function stateOf({ error, interrupts, result }: JsonObject, { status }: RunTimes): WaterfallBar["state"] {
  if (status === "running" || status === "pending") return "running";
  if (Array.isArray(interrupts) && interrupts.length > 0) return "waiting";
  if (error !== undefined && error !== null) return "failed";
  // It ended while another task of its step asked, failed or was cancelled.
  if (result !== undefined && result !== null) return "done";
  // A run that succeeds with open tasks stands at a breakpoint. The status `interrupted` tells of a cancellation.
  return status === "success" ? "waiting" : "cancelled";
}

function readState(state: unknown, run: string): StepState | undefined {
  if (!isObject(state)) return undefined;
  const id = checkpointIdOf(state.checkpoint);
  const at = timeOf(state.created_at);
  if (id === undefined || at === undefined) return undefined;
  const metadata = isObject(state.metadata) ? state.metadata : {};
  return {
    id,
    parent: checkpointIdOf(state.parent_checkpoint),
    at,
    step: typeof metadata.step === "number" ? metadata.step : 0,
    isOfRun: metadata.run_id === run,
    isInput: metadata.source === "input",
    tasks: Array.isArray(state.tasks)
      ? state.tasks.filter(isObject).filter(({ name }) => typeof name === "string")
      : [],
  };
}

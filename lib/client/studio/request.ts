import type { JsonObject } from "../../protocol/json.ts";
import type { MultitaskStrategy } from "../../protocol/runs.ts";
import type { RunRequest } from "../follow-run.ts";

/** Nodes of the outermost graph at which a run stops. */
export interface Breakpoints {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
}

export const NO_BREAKPOINTS: Breakpoints = { before: new Set(), after: new Set() };

/** The settings of a run besides its input. */
export interface RunOptions {
  readonly assistant: string;
  readonly breakpoints: Breakpoints;
  /** The run stops before each node. */
  readonly pauseEverywhere: boolean;
  /** `config.configurable` and `context` over those of the assistant. */
  readonly configurable?: JsonObject;
  readonly context?: JsonObject;
  readonly recursionLimit?: number;
  readonly multitask?: MultitaskStrategy;
  /** Events of subgraphs are streamed, too. */
  readonly subgraphs: boolean;
}

/** The beginning of a run: new input, the answers to interrupts, or nothing, to go on from the checkpoint. */
export type RunStart =
  | { readonly input: unknown }
  | { readonly resume: unknown }
  | { readonly goOn: "continue" | "step" };

/** Returns the body of the request that starts a run of the studio. `checkpoint`: where it starts, if not at the newest. */
export function runRequest(start: RunStart, options: RunOptions, checkpoint?: string): RunRequest {
  const { assistant, configurable, context, recursionLimit, multitask, subgraphs } = options;
  const config = {
    ...(configurable && { configurable }),
    ...(recursionLimit !== undefined && { recursion_limit: recursionLimit }),
  };
  return {
    assistant_id: assistant,
    ...("input" in start && { input: start.input }),
    ...("resume" in start && { command: { resume: start.resume } }),
    ...(Object.keys(config).length > 0 && { config }),
    ...(context && { context }),
    ...(checkpoint !== undefined && { checkpoint_id: checkpoint }),
    ...breaksOf(start, options),
    // The debug events carry the times of tasks and checkpoints, so a replay shows the same durations.
    stream_mode: ["debug", "messages-tuple", "custom"],
    stream_subgraphs: subgraphs,
    // The events are stored, so that a page that is opened again receives all of them.
    stream_resumable: true,
    on_disconnect: "continue",
    multitask_strategy: multitask ?? "reject",
  };
}

function breaksOf(
  start: RunStart,
  { breakpoints: { before, after }, pauseEverywhere }: RunOptions,
): Pick<RunRequest, "interrupt_before" | "interrupt_after"> {
  const isStep = "goOn" in start && start.goOn === "step";
  return {
    ...(pauseEverywhere || isStep ? { interrupt_before: "*" } : before.size > 0 && { interrupt_before: [...before] }),
    ...(after.size > 0 && { interrupt_after: [...after] }),
  };
}

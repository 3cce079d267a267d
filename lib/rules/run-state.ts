import type { RunStatus } from "../protocol/runs.ts";

export type RunStep = "claim" | "succeed" | "fail" | "interrupt" | "time_out";

/** Every state under every step; `refuse` changes nothing. Ended states absorb. */
export const runTransitions: Record<RunStatus, Record<RunStep, RunStatus | "refuse">> = {
  pending: { claim: "running", succeed: "refuse", fail: "error", interrupt: "interrupted", time_out: "timeout" },
  running: { claim: "refuse", succeed: "success", fail: "error", interrupt: "interrupted", time_out: "timeout" },
  success: { claim: "refuse", succeed: "refuse", fail: "refuse", interrupt: "refuse", time_out: "refuse" },
  error: { claim: "refuse", succeed: "refuse", fail: "refuse", interrupt: "refuse", time_out: "refuse" },
  interrupted: { claim: "refuse", succeed: "refuse", fail: "refuse", interrupt: "refuse", time_out: "refuse" },
  timeout: { claim: "refuse", succeed: "refuse", fail: "refuse", interrupt: "refuse", time_out: "refuse" },
};

/** Whether what a run tells can be heard again later, also after a restart. Of other runs only what is under way can. */
export function hasStoredEvents(run: { keep: boolean; kwargs: { resumable: boolean } }): boolean {
  return run.keep || run.kwargs.resumable;
}

/** Whether a run in this state will tell nothing more. */
export function hasEnded(status: RunStatus): boolean {
  return status !== "pending" && status !== "running";
}

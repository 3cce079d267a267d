import type { RunStatus } from "../../protocol/runs.ts";

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
export function hasStoredEvents(run: { kwargs: { resumable: boolean } }): boolean {
  return run.kwargs.resumable;
}

/** How often a run is begun before it is given up. */
const ATTEMPTS = 3;

/** Whether a run whose executor is gone can go on: it has checkpoints to go on from, and was not begun too often. */
export function mayTryAgain({ threaded, token }: { threaded: boolean; token: number }): boolean {
  return threaded && token < ATTEMPTS;
}

/** Whether a run in this state will tell nothing more. */
export function hasEnded(status: RunStatus): boolean {
  return status !== "pending" && status !== "running";
}

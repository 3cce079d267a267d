import type { RunStatus } from "../../protocol/runs.ts";

export const runSteps = ["claim", "requeue", "succeed", "fail", "interrupt", "time_out"] as const;
export type RunStep = (typeof runSteps)[number];

const ENDED = { claim: null, requeue: null, succeed: null, fail: null, interrupt: null, time_out: null } as const;

/** The next status after every step in every status; null if the step is refused and changes nothing. */
export const runTransitions = {
  pending: {
    claim: "running",
    requeue: null,
    succeed: null,
    fail: "error",
    interrupt: "interrupted",
    time_out: "timeout",
  },
  running: {
    claim: null,
    requeue: "pending",
    succeed: "success",
    fail: "error",
    interrupt: "interrupted",
    time_out: "timeout",
  },
  success: ENDED,
  error: ENDED,
  interrupted: ENDED,
  timeout: ENDED,
} as const satisfies Record<RunStatus, Record<RunStep, RunStatus | null>>;

/** Returns whether a run's events are stored, so that they can be read again even after a restart. */
export function hasStoredEvents(run: { kwargs: { resumable: boolean } }): boolean {
  return run.kwargs.resumable;
}

/** The number of crashes after which a run is not executed again. */
const CRASHES = 3;

/** How the executor of a run was lost: it was told to stop, or it crashed. */
export type Loss = "stopped" | "crashed";

/**
 * Returns whether a run that was executing is executed again: if it has checkpoints, and was not under way at too many crashes.
 * `crashes` are those before this loss.
 */
export function mayTryAgain({ threaded, crashes }: { threaded: boolean; crashes: number }, loss: Loss): boolean {
  return threaded && (loss === "stopped" || crashes + 1 < CRASHES);
}

/** Returns whether a run in this state emits no more events. */
export function hasEnded(status: RunStatus): boolean {
  return runSteps.every((step) => runTransitions[status][step] === null);
}

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

/** The largest number of attempts at a run. */
const ATTEMPTS = 3;

/** Returns whether a run whose executor is gone is retried: if it has checkpoints and attempts are left. */
export function mayTryAgain({ threaded, token }: { threaded: boolean; token: number }): boolean {
  return threaded && token < ATTEMPTS;
}

/** Returns whether a run in this state emits no more events. */
export function hasEnded(status: RunStatus): boolean {
  return runSteps.every((step) => runTransitions[status][step] === null);
}

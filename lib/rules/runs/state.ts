import type { RunStatus } from "../../protocol/runs.ts";

export const runSteps = ["claim", "requeue", "succeed", "fail", "interrupt", "time_out"] as const;
export type RunStep = (typeof runSteps)[number];

const ENDED = { claim: null, requeue: null, succeed: null, fail: null, interrupt: null, time_out: null } as const;

/** The status after every step in every status; null where the step is refused and changes nothing. */
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
  return runSteps.every((step) => runTransitions[status][step] === null);
}

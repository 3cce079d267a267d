import type { Run } from "../../protocol/runs.ts";
import type { RunError } from "../../protocol/stream.ts";

/** A run before its end is stored, or after it. `token` counts the claims. */
type RunToShow = Omit<Run, "attempts" | "error"> & { token: number; error?: RunError };

/** Returns the members of a stored run that callers see. */
export function shownRun(run: RunToShow): Run {
  const { run_id, thread_id, assistant_id, created_at, updated_at, status, metadata, kwargs, multitask_strategy } = run;
  const { trigger, started_at, ended_at, first_token_at, token, error = null } = run;
  return {
    run_id,
    thread_id,
    assistant_id,
    created_at,
    updated_at,
    status,
    metadata,
    kwargs,
    multitask_strategy,
    trigger,
    started_at,
    ended_at,
    first_token_at,
    attempts: token,
    error,
  };
}

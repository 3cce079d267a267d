import type { Run } from "../../protocol/runs.ts";

/** Returns the members of a stored run that callers see. */
export function shownRun(run: Run): Run {
  const { run_id, thread_id, assistant_id, created_at, updated_at, status, metadata, kwargs, multitask_strategy } = run;
  return { run_id, thread_id, assistant_id, created_at, updated_at, status, metadata, kwargs, multitask_strategy };
}

import { type BuildStep, buildSteps } from "../../protocol/build-steps.ts";
import type { RevisionState } from "../../protocol/revisions.ts";

/** Returns whether a revision is being built. */
export function isBuilding(state: RevisionState): state is BuildStep {
  return buildSteps.some((one) => one === state);
}

/** Returns whether a revision waits for its build or is being built. */
export function isUnderway(state: RevisionState): boolean {
  return state === "queued" || isBuilding(state);
}

/** Returns whether a revision failed, before it was live or after. */
export function hasFailed(state: RevisionState): boolean {
  return state === "failed" || state === "crashed" || state.endsWith("_failed");
}

/** Returns the newest revision if it failed while another one serves. */
export function failedRevision({
  live,
  newest,
}: {
  readonly live: { readonly number: number } | null;
  readonly newest: { readonly number: number; readonly state: RevisionState } | null;
}): number | undefined {
  return live && newest && newest.number !== live.number && hasFailed(newest.state) ? newest.number : undefined;
}

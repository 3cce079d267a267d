import type { RevisionProblem, RevisionState } from "../../protocol/revisions.ts";
import type { Commit, Source } from "../../protocol/sources.ts";

/** How a deployment stands among its revisions. */
export interface DeploymentLifecycle {
  readonly deployment_id: string;
  readonly wanted: "running" | "stopped" | "deleted";
  /** Number of the revision that serves, or would. */
  readonly live: number | null;
  readonly source: Source;
  /** The revision that `live` names. */
  readonly served?: { readonly source: Source; readonly commit: Commit | null; readonly live_at: string | null };
  /** The newest revision, whatever became of it. */
  readonly newest?: {
    readonly number: number;
    readonly state: RevisionState;
    readonly problem: RevisionProblem | null;
  };
}

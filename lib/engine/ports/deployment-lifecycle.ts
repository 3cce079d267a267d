import type { RevisionProblem, RevisionState } from "../../protocol/revisions.ts";
import type { Commit, Source } from "../../protocol/sources.ts";

/** The requested state of a deployment, and its live and newest revisions. */
export interface DeploymentLifecycle {
  readonly deployment_id: string;
  readonly wanted: "running" | "stopped" | "deleted";
  /** The number of the revision that serves, or would serve if the deployment ran. */
  readonly live: number | null;
  readonly source: Source;
  /** The revision that `live` names. */
  readonly served?: { readonly source: Source; readonly commit: Commit | null; readonly live_at: string | null };
  /** The newest revision, in any state. */
  readonly newest?: {
    readonly number: number;
    readonly state: RevisionState;
    readonly problem: RevisionProblem | null;
  };
}

import type { DeploymentServer } from "../../protocol/deployments.ts";
import type { StoredDeployment, StoredRevision } from "./builds.ts";

/** The requested state of a deployment, and its live and newest revisions. */
export interface DeploymentLifecycle extends Readonly<
  Pick<StoredDeployment, "deployment_id" | "wanted" | "live" | "source">
> {
  /** The revision that `live` names. */
  readonly served?: Readonly<Pick<StoredRevision, "source" | "commit" | "live_at">>;
  /** The servers that share the deployment, with the report of each. */
  readonly servers?: readonly DeploymentServer[];
  /** This server could not bring or start the live revision, and leaves runs to others. */
  readonly isBehind?: boolean;
  /** The newest revision, in any state. */
  readonly newest?: Readonly<Pick<StoredRevision, "number" | "state" | "problem">>;
}

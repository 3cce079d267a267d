/** Finishes what a platform that died left unfinished. */
import { buildSteps } from "../../protocol/build-steps.ts";
import type { StoredDeployment } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";
import { requeueBuild } from "./build-end.ts";
import { timeOf } from "./build-step.ts";
import { deleteDeployment, markStopped } from "./deployments.ts";

/** Recovers builds and deployments. It is called when every deployment is open, before anything is built or served. */
export async function recoverDeployments(platform: Platform, control: ControlPlane): Promise<void> {
  await requeueLostBuilds(platform, control);
  for (const deployment of await control.deployments.list()) {
    try {
      await recoverDeployment(platform, control, deployment);
    } catch (error) {
      platform.logger.error(`deployment ${deployment.name} could not be recovered`, error);
    }
  }
}

/** Requeues builds whose servers are gone. That is all of them for a server that has the database for itself. */
export async function requeueLostBuilds(platform: Platform, control: ControlPlane): Promise<void> {
  // The builds are read before the leases: each of their servers had its lease when it claimed.
  const builds = await control.revisions.inState(buildSteps);
  const executors = builds.map(({ executor }) => executor).filter((executor) => executor !== null);
  const over = control.lease && executors.length > 0 ? await control.lease.over(executors) : new Set(executors);
  for (const revision of builds)
    if (revision.executor === null || over.has(revision.executor)) await requeueBuild(platform, control, revision);
}

async function recoverDeployment(platform: Platform, control: ControlPlane, stored: StoredDeployment): Promise<void> {
  const { deployment_id, wanted, source } = stored;
  if (wanted === "deleted") return await deleteDeployment(platform, control, stored);
  if (wanted === "stopped") return await markStopped(control, stored);
  // Versions up to 0.5 stored a deployment and its first revision in two transactions.
  const [newest] = await control.revisions.list(deployment_id, { limit: 1 });
  if (newest) return;
  const created_at = timeOf(platform);
  await control.revisions.queue(deployment_id, { trigger: "create", source, build_of: null, created_at });
}

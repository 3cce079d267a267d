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
  for (const revision of await control.revisions.inState(buildSteps)) await requeueBuild(platform, control, revision);
  for (const deployment of await control.deployments.list()) {
    try {
      await recoverDeployment(platform, control, deployment);
    } catch (error) {
      platform.logger.error(`deployment ${deployment.name} could not be recovered`, error);
    }
  }
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

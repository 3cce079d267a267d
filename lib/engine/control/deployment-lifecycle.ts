import type { ControlPlane } from "../ports/control.ts";
import { readServers } from "./server-reports.ts";
import type { DeploymentLifecycle } from "../ports/deployment-lifecycle.ts";

/** Reads a deployment with its newest and its live revision; undefined when there is none. */
export async function readLifecycle(
  { deployments, revisions, lease, troubles }: Pick<ControlPlane, "deployments" | "revisions" | "lease" | "troubles">,
  name: string,
): Promise<DeploymentLifecycle | undefined> {
  const stored = await deployments.get(name);
  if (!stored) return undefined;
  const { deployment_id, live } = stored;
  const [newest] = await revisions.list(deployment_id, { limit: 1 });
  const served = live === newest?.number || live === null ? newest : await revisions.get(deployment_id, live);
  const servers = await readServers({ lease }, name);
  return {
    ...stored,
    servers,
    isBehind: troubles.has(name),
    ...(newest && { newest }),
    ...(live !== null && served && { served }),
  };
}

import type { Variable } from "../../protocol/variables.ts";
import type { StoredDeployment } from "../ports/builds.ts";
import type { ControlPlane } from "../ports/control.ts";
import type { Platform } from "../ports/ports.ts";
import { timeOf } from "./build-step.ts";
import { getRevision, queueRevision } from "./revisions.ts";
import { requireBuild } from "./rollback.ts";
import { type EnvironmentChange, sealVariables } from "./variables.ts";

/** Returns the variables of a deployment, without the values of secret ones. */
export async function getEnvironment({ variables, box }: ControlPlane, deploymentId: string): Promise<Variable[]> {
  const stored = await variables.list(deploymentId);
  return stored.map(({ value, ...one }) => ({ ...one, value: one.secret ? null : box.open(value) }));
}

/** Changes variables. A deployment that serves gets a revision with the new variables that reuses the build. */
export async function updateEnvironment(
  platform: Platform,
  control: ControlPlane,
  deployment: StoredDeployment,
  environment: EnvironmentChange,
): Promise<Variable[]> {
  const change = { variables: sealVariables(platform, control, environment) };
  if (deployment.live === null || deployment.wanted !== "running") {
    await control.deployments.update(deployment.name, change, timeOf(platform));
  } else {
    const live = await getRevision(control, deployment, deployment.live);
    const build = live.build_of === null ? { source: deployment.source, build_of: null } : requireBuild(live);
    await queueRevision(platform, control, deployment, { trigger: "environment", ...build }, change);
  }
  return await getEnvironment(control, deployment.deployment_id);
}

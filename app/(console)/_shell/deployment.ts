import { notFound } from "next/navigation";
import type { StoredDeployment } from "#lib/engine/ports/builds.ts";
import type { Deployment } from "#lib/engine/ports/ports.ts";
import { platform, running } from "#lib/platform.ts";
import { requireSession } from "./session.ts";

type DeploymentParams = Promise<{ deployment: string }>;

/** Returns the deployment that the URL names. If there is none, the page is answered with 404. */
export async function deploymentOf(params: DeploymentParams): Promise<Deployment> {
  const { deployment } = await params;
  await requireSession(`/deployments/${deployment}`);
  return platform().find(decodeURIComponent(deployment)) ?? notFound();
}

/** Returns the stored record of the deployment that the URL names. */
export async function storedDeploymentOf(params: DeploymentParams): Promise<StoredDeployment> {
  const { name } = await deploymentOf(params);
  return (await running().control.deployments.get(name)) ?? notFound();
}

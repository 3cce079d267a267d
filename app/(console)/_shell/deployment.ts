import { notFound } from "next/navigation";
import type { StoredDeployment } from "@/lib/engine/ports/builds.ts";
import type { Deployment } from "@/lib/engine/ports/ports.ts";
import { platform, running } from "@/lib/platform.ts";
import { requireSession } from "./session.ts";

export type DeploymentParams = Promise<{ deployment: string }>;

/** The deployment that a page's address names; else the page is not found. */
export async function deploymentOf(params: DeploymentParams): Promise<Deployment> {
  const { deployment } = await params;
  await requireSession(`/deployments/${deployment}`);
  return platform().find(decodeURIComponent(deployment)) ?? notFound();
}

/** The same with all that is stored of it. */
export async function storedDeploymentOf(params: DeploymentParams): Promise<StoredDeployment> {
  const { name } = await deploymentOf(params);
  return (await running().control.deployments.get(name)) ?? notFound();
}

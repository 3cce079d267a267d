import type { ReactNode } from "react";
import { type DeploymentParams, deploymentOf } from "../../../_shell/deployment.ts";

/** Looks the deployment up before any skeleton is sent, so that an unknown name is answered with 404. */
export default async function DeploymentLayout({
  params,
  children,
}: {
  params: DeploymentParams;
  children: ReactNode;
}) {
  await deploymentOf(params);
  return children;
}

import type { ReactNode } from "react";
import { type DeploymentParams, deploymentOf } from "../../../_shell/deployment.ts";

/** Above every skeleton, so that an address without a deployment is answered with 404 and not with a page. */
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

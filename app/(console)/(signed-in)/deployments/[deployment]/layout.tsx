import { deploymentOf } from "../../../_shell/deployment.ts";

/** Looks the deployment up before any skeleton is sent, so that an unknown name is answered with 404. */
export default async function DeploymentLayout({ params, children }: LayoutProps<"/deployments/[deployment]">) {
  await deploymentOf(params);
  return children;
}

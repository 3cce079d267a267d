import { redirect } from "next/navigation";
import { viewDeployment } from "#lib/engine/deployments.ts";
import { chatAssistants, firstAssistant } from "../../../../_chat/assistants.ts";
import { consoleAccess } from "../../../../_auth/console-access.ts";
import { deploymentOf } from "../../../../_shell/deployment.ts";
import { NoAssistants } from "../../../../_chat/no-assistants.tsx";
import { deploymentPath } from "../../../../_ui/deployment-path.ts";

/** Leads to the studio of the deployment's first graph. */
export default async function StudioIndex({ params }: PageProps<"/deployments/[deployment]/studio">) {
  const deployment = await deploymentOf(params);
  const assistants = await chatAssistants(deployment, await consoleAccess(deployment));
  const first = (await firstAssistant(deployment, assistants))?.graph ?? viewDeployment(deployment).graphs[0]?.graph;
  if (first === undefined) return <NoAssistants deployment={deployment.name} />;
  redirect(`${deploymentPath(deployment.name)}/studio/${encodeURIComponent(first)}`);
}

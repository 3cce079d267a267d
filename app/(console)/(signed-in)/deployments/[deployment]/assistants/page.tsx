import type { Metadata } from "next";
import { viewDeployment } from "#lib/engine/deployments.ts";
import { AssistantsView } from "../../../../_assistants/assistants-view.tsx";
import { consoleAccess } from "../../../../_auth/console-access.ts";
import { QueryPage } from "../../../../_rooms/query-page.tsx";
import { deploymentOf } from "../../../../_shell/deployment.ts";

type Props = PageProps<"/deployments/[deployment]/assistants">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Assistants · ${(await deploymentOf(params)).name}` };
}

export default async function AssistantsPage({ params }: Props) {
  const deployment = await deploymentOf(params);
  const { caller, isLinkPrinted } = await consoleAccess(deployment);
  return (
    <QueryPage>
      <AssistantsView
        deployment={deployment.name}
        caller={caller}
        isLinkPrinted={isLinkPrinted}
        graphs={viewDeployment(deployment).graphs.map(({ graph }) => graph)}
      />
    </QueryPage>
  );
}

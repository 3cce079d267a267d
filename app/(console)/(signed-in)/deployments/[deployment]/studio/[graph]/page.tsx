import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { viewDeployment } from "#lib/engine/deployments.ts";
import { consoleAccess } from "../../../../../_auth/console-access.ts";
import { chatAssistants } from "../../../../../_chat/assistants.ts";
import { isSample } from "../../../../../_deployments/sample.ts";
import { QueryPage } from "../../../../../_rooms/query-page.tsx";
import { deploymentOf } from "../../../../../_shell/deployment.ts";
import { addressesOf, isKeyed } from "../../../../../_shell/server.ts";
import { StudioView } from "../../../../../_studio/studio-view.tsx";

type Props = PageProps<"/deployments/[deployment]/studio/[graph]">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { graph } = await params;
  return { title: `Studio · ${decodeURIComponent(graph)} · ${(await deploymentOf(params)).name}` };
}

export default async function StudioPage({ params }: Props) {
  const deployment = await deploymentOf(params);
  const name = decodeURIComponent((await params).graph);
  const { graphs } = viewDeployment(deployment);
  const graph = graphs.find((one) => one.graph === name) ?? notFound();
  const access = await consoleAccess(deployment);
  const assistants = await chatAssistants(deployment, access);
  const { api } = await addressesOf(deployment.name);
  return (
    <QueryPage>
      <StudioView
        deployment={deployment.name}
        caller={access.caller}
        isLinkPrinted={access.isLinkPrinted}
        graph={name}
        isSample={isSample(deployment)}
        failure={graph.error && `${graph.error.error}: ${graph.error.message}`}
        graphs={graphs.map((one) => one.graph)}
        assistants={assistants.filter((one) => one.graph === name)}
        api={api}
        keyed={isKeyed()}
      />
    </QueryPage>
  );
}

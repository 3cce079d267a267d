import type { Metadata } from "next";
import { notServed, viewDeployment } from "#lib/engine/deployments.ts";
import type { Deployment } from "#lib/engine/ports/ports.ts";
import { platform } from "#lib/platform.ts";
import { a2aSwitch } from "#lib/rules/a2a/switch.ts";
import { NoAgents, A2aDisabled } from "../../../../_a2a/a2a-unavailable.tsx";
import { A2aView } from "../../../../_a2a/a2a-view.tsx";
import { consoleAccess } from "../../../../_auth/console-access.ts";
import { chatAssistants, chosenAssistant, type GraphAssistant } from "../../../../_chat/assistants.ts";
import { deploymentOf } from "../../../../_shell/deployment.ts";
import { addressesOf, isKeyed } from "../../../../_shell/server.ts";
import { RenderTime } from "../../../../_ui/moment.tsx";

type Props = PageProps<"/deployments/[deployment]/a2a">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `A2A · ${(await deploymentOf(params)).name}` };
}

export default async function A2aPage({ params, searchParams }: Props) {
  const deployment = await deploymentOf(params);
  const { name } = deployment;
  const off = a2aSwitch(deployment.config);
  if (off) return <A2aDisabled deployment={name} off={off} />;
  const access = await consoleAccess(deployment);
  const assistants = await chatAssistants(deployment, access);
  const chosen = chooseAssistant(deployment, assistants, (await searchParams).assistant);
  if (!chosen) return <NoAgents deployment={name} reason={whyNoAgents(deployment)} />;
  const { api } = await addressesOf(name);
  return (
    <RenderTime now={platform().clock.now()}>
      <A2aView
        deployment={name}
        caller={access.caller}
        isLinkPrinted={access.isLinkPrinted}
        assistant={await chosenAssistant(deployment, chosen)}
        assistants={assistants}
        api={api}
        keyed={isKeyed()}
        unserved={isServed(deployment) ? undefined : notServed(deployment).message}
      />
    </RenderTime>
  );
}

/** Returns the assistant that the URL names, or else that of the first graph that has loaded. */
function chooseAssistant(
  deployment: Deployment,
  assistants: readonly GraphAssistant[],
  requested: unknown,
): GraphAssistant | undefined {
  const { graphs } = viewDeployment(deployment);
  const first = graphs.find(({ error }) => !error)?.graph;
  return (
    assistants.find(({ id, assistantId }) => id === requested || assistantId === requested) ??
    assistants.find(({ id }) => id === first) ??
    assistants[0]
  );
}

function isServed(deployment: Deployment): boolean {
  const { status, live } = viewDeployment(deployment);
  return live !== null && !["stopped", "failed", "deleting", "provisioning"].includes(status);
}

function whyNoAgents(deployment: Deployment): string {
  return deployment.config ? "This deployment has no graphs." : notServed(deployment).message;
}

import type { Metadata } from "next";
import { notServed, viewDeployment } from "#lib/engine/deployments.ts";
import type { Deployment } from "#lib/engine/ports/ports.ts";
import { platform } from "#lib/platform.ts";
import { a2aSwitch } from "#lib/rules/a2a/switch.ts";
import { NoAgents, A2aDisabled } from "../../../../_a2a/a2a-unavailable.tsx";
import { A2aView } from "../../../../_a2a/a2a-view.tsx";
import { consoleAccess } from "../../../../_auth/console-access.ts";
import {
  chatAssistants,
  chosenAssistant,
  type GraphAssistant,
  requestedAssistant,
} from "../../../../_chat/assistants.ts";
import { MissingAssistant } from "../../../../_rooms/missing-assistant.tsx";
import { deploymentOf } from "../../../../_shell/deployment.ts";
import { addressesOf, isKeyed } from "../../../../_shell/server.ts";
import { RenderTime } from "../../../../_ui/moment.tsx";

const A2A = { label: "A2A", path: "a2a" };

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
  const { assistant: requested } = await searchParams;
  const named = await requestedAssistant(deployment, access, assistants, requested);
  if (named === null) return <MissingAssistant deployment={name} id={String(requested)} page={A2A} />;
  const chosen = named ?? defaultAssistant(deployment, assistants);
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

/** Returns the assistant of the first graph that has loaded. */
function defaultAssistant(deployment: Deployment, assistants: readonly GraphAssistant[]): GraphAssistant | undefined {
  const { graphs } = viewDeployment(deployment);
  const first = graphs.find(({ error }) => !error)?.graph;
  return assistants.find(({ id }) => id === first) ?? assistants[0];
}

function isServed(deployment: Deployment): boolean {
  const { status, live } = viewDeployment(deployment);
  return live !== null && !["stopped", "failed", "deleting", "provisioning"].includes(status);
}

function whyNoAgents(deployment: Deployment): string {
  return deployment.config ? "This deployment has no graphs." : notServed(deployment).message;
}

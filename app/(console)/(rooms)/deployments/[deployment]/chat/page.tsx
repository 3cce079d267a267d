import type { Metadata } from "next";
import { chatAssistants, chosenAssistant } from "../../../../_chat/assistants.ts";
import { ChatRoom } from "../../../../_chat/chat-room.tsx";
import { NoAssistants } from "../../../../_chat/no-assistants.tsx";
import { NoMessages } from "../../../../_chat/no-messages.tsx";
import { type DeploymentParams, deploymentOf } from "../../../../_shell/deployment.ts";
import { addressesOf, isKeyed } from "../../../../_shell/server.ts";

interface PageProps {
  params: DeploymentParams;
  searchParams: Promise<{ assistant?: string | string[] }>;
}

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  return { title: `Chat · ${(await deploymentOf(params)).name}` };
}

export default async function ChatPage({ params, searchParams }: PageProps) {
  const deployment = await deploymentOf(params);
  const { assistant: asked } = await searchParams;
  const assistants = await chatAssistants(deployment);
  const found = assistants.find((one) => one.id === asked) ?? assistants.find((one) => !one.error) ?? assistants[0];
  if (!found) return <NoAssistants deployment={deployment.name} />;
  const chosen = await chosenAssistant(deployment, found);
  if (chosen.error || !chosen.takesMessages) {
    const { api } = await addressesOf(deployment.name);
    return (
      <NoMessages deployment={deployment.name} assistant={chosen} assistants={assistants} url={api} keyed={isKeyed()} />
    );
  }
  return <ChatRoom key={chosen.id} deployment={deployment.name} assistant={chosen} assistants={assistants} />;
}

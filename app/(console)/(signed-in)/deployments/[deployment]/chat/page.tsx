import type { Metadata } from "next";
import { SUMMARY, type ThreadSummary, titleOf } from "#lib/client/threads.ts";
import type { Deployment } from "#lib/engine/ports/ports.ts";
import type { StoredThread } from "#lib/engine/ports/threads.ts";
import { searchThreads } from "#lib/engine/threads/threads.ts";
import { ThreadSearch } from "#lib/protocol/threads.ts";
import { extractAll } from "#lib/rules/threads/extract.ts";
import { isVisible } from "#lib/rules/visibility.ts";
import {
  chatAssistants,
  chosenAssistant,
  firstAssistant,
  type GraphAssistant,
  requestedAssistant,
} from "../../../../_chat/assistants.ts";
import { ChatView } from "../../../../_chat/chat-view.tsx";
import { type ConsoleAccess, consoleAccess } from "../../../../_auth/console-access.ts";
import { MissingAssistant } from "../../../../_rooms/missing-assistant.tsx";
import { NoAssistants } from "../../../../_chat/no-assistants.tsx";
import { NoMessages } from "../../../../_chat/no-messages.tsx";
import { type FirstPage, PAGE } from "../../../../_chat/thread-list.ts";
import { deploymentOf } from "../../../../_shell/deployment.ts";
import { addressesOf, isKeyed } from "../../../../_shell/server.ts";
import { RenderTime } from "../../../../_ui/moment.tsx";

const CHAT = { label: "Chat", path: "chat" };

type Props = PageProps<"/deployments/[deployment]/chat">;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Chat · ${(await deploymentOf(params)).name}` };
}

export default async function ChatPage({ params, searchParams }: Props) {
  const deployment = await deploymentOf(params);
  const { assistant: requested, thread: threadId } = await searchParams;
  const access = await consoleAccess(deployment);
  const assistants = await chatAssistants(deployment, access);
  const thread = typeof threadId === "string" ? await threadOf(deployment, access, threadId) : undefined;
  const ofThread = thread && assistantOf(thread, assistants);
  const named = ofThread ?? (await requestedAssistant(deployment, access, assistants, requested));
  if (named === null) return <MissingAssistant deployment={deployment.name} id={String(requested)} page={CHAT} />;
  const found = named ?? (await firstAssistant(deployment, assistants));
  if (!found) return <NoAssistants deployment={deployment.name} />;
  const chosen = await chosenAssistant(deployment, found);
  const { api } = await addressesOf(deployment.name);
  return (
    <RenderTime now={Date.now()}>
      <ChatView
        deployment={deployment.name}
        caller={access.caller}
        isLinkPrinted={access.isLinkPrinted}
        assistant={chosen}
        assistants={assistants}
        opened={thread && { id: thread.thread_id, title: titleOf({ ...thread, extracted: extractedOf(thread) }) }}
        first={await firstPage(deployment, access)}
      >
        {chosen.error || !chosen.takesMessages ? <NoMessages url={api} keyed={isKeyed()} /> : null}
      </ChatView>
    </RenderTime>
  );
}

/** Returns the assistant that the thread was started with, or else another one of its graph. */
function assistantOf({ metadata }: StoredThread, assistants: readonly GraphAssistant[]): GraphAssistant | undefined {
  return (
    assistants.find((one) => one.assistantId === metadata.assistant_id || one.id === metadata.assistant_id) ??
    assistants.find((one) => one.graph === metadata.graph_id)
  );
}

const extractedOf = (thread: StoredThread): ThreadSummary["extracted"] => extractAll(thread, SUMMARY.extract);

async function threadOf(
  { threads }: Deployment,
  { permit }: ConsoleAccess,
  thread_id: string,
): Promise<StoredThread | undefined> {
  const permitted = await permit("threads:read", { thread_id });
  const thread = permitted && (await threads.get(thread_id));
  return thread && isVisible(permitted.visible, thread.metadata) ? thread : undefined;
}

async function firstPage(deployment: Deployment, { permit }: ConsoleAccess): Promise<FirstPage> {
  const permitted = await permit("threads:search", ThreadSearch.parse({ ...SUMMARY, limit: PAGE }));
  if (!permitted) return { threads: [], total: 0 };
  const search = ThreadSearch.parse(permitted.value);
  const { items: threads, total = 0 } = await searchThreads(deployment, search, permitted.visible);
  // `select` names exactly the fields of a summary.
  return { threads: threads as unknown as ThreadSummary[], total };
}

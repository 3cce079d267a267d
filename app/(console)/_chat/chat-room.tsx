"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { apiBase } from "@/lib/client/api-base.ts";
import { newId } from "@/lib/client/new-id.ts";
import { titleOf } from "@/lib/client/threads.ts";
import type { ConsoleCaller } from "@/lib/rules/http/console-caller.ts";
import type { Caller } from "../_caller/caller.ts";
import { CallerDoor } from "../_caller/caller-door.tsx";
import { useOwnHeaders } from "../_caller/use-own-headers.ts";
import type { ChatAssistant, ChosenAssistant } from "./assistant.ts";
import { ChatContext } from "./chat-context.ts";
import { Conversation } from "./conversation.tsx";
import { ThreadsPanel } from "./threads-panel.tsx";
import type { FirstPage } from "./thread-list.ts";
import { useThreads } from "./use-threads.ts";

const ThreadsDrawer = lazy(() => import("./threads-drawer.tsx"));

interface ChatRoomProps {
  deployment: string;
  /** As whom the console calls it, where the visitor gives no headers. */
  caller: ConsoleCaller;
  isLinkPrinted: boolean;
  assistant: ChosenAssistant;
  assistants: readonly ChatAssistant[];
  /** The thread that the address names, as the server found it. */
  opened?: { id: string; title: string };
  first: FirstPage;
  /** The server's clock. */
  now: number;
  /** In place of a conversation, for an assistant that cannot have one. */
  children?: ReactNode;
}

const NONE: FirstPage = { threads: [], total: 0 };

/** The chat of a deployment, or what keeps its visitor out. */
export function ChatRoom({ first, opened, isLinkPrinted, ...props }: ChatRoomProps) {
  const own = useOwnHeaders(apiBase(props.deployment));
  // What the server has looked up is what another caller sees.
  if (own !== undefined) return <OpenRoom key={own} {...props} caller="own" first={NONE} />;
  const { deployment, caller } = props;
  if (caller === "closed" || caller === "disabled") {
    const room = { label: "Chat", path: "chat" };
    return <CallerDoor deployment={deployment} caller={caller} isLinkPrinted={isLinkPrinted} room={room} />;
  }
  return <OpenRoom {...props} first={first} opened={opened} />;
}

/** Its conversations beside the one that is open. */
function OpenRoom({
  deployment,
  caller,
  assistant,
  assistants,
  opened,
  first,
  now,
  children,
}: Omit<ChatRoomProps, "caller" | "isLinkPrinted"> & { caller: Caller }) {
  const router = useRouter();
  const list = useThreads(deployment, first);
  const asked = useSearchParams().get("thread") ?? undefined;
  // A conversation that begins has its id before its thread is made, so that it stays the same one on the page.
  const [fresh, setFresh] = useState(() => ({ id: newId(), assistant: assistant.id, used: false }));
  // The address follows a moment after the first question, so that it is what says whether there was one.
  if (asked === fresh.id && !fresh.used) setFresh({ ...fresh, used: true });
  if ((asked === undefined && fresh.used) || (asked !== fresh.id && fresh.assistant !== assistant.id)) {
    setFresh({ id: newId(), assistant: assistant.id, used: false });
  }
  const thread = asked ?? fresh.id;
  const [isDrawerOpen, setDrawerOpen] = useState(false);

  const base = `/deployments/${encodeURIComponent(deployment)}/chat`;
  const newChat = (id = assistant.id): string => `${base}?assistant=${encodeURIComponent(id)}`;
  const known = list.threads.find((one) => one.thread_id === asked);
  const title = known ? titleOf(known) : opened?.id === asked ? opened?.title : undefined;
  const panel = (onGo?: () => void): ReactNode => (
    <ThreadsPanel
      list={list}
      assistants={assistants}
      current={asked}
      now={now}
      hrefOf={(id) => `${base}?thread=${id}`}
      newChat={newChat()}
      onGo={onGo}
      onGone={() => router.replace(newChat())}
    />
  );
  const begun = (): void => {
    // The address says which conversation this is, and the page stays: it is the one that is being held.
    window.history.replaceState(null, "", `${newChat()}&thread=${fresh.id}`);
  };
  return (
    <ChatContext
      value={{ deployment, caller, assistant, assistants, title, newChat, openList: () => setDrawerOpen(true) }}
    >
      <div className="flex min-h-0 flex-1">
        <aside
          aria-label="Conversations"
          className="sticky top-0 hidden h-dvh w-66 shrink-0 border-r border-line lg:block"
        >
          {panel()}
        </aside>
        <div className="flex min-w-0 flex-1 flex-col">
          {children ?? (
            <Conversation
              key={`${thread} ${assistant.id}`}
              thread={thread}
              isNew={thread === fresh.id}
              onBegun={begun}
              onChange={() => void list.refresh()}
            />
          )}
        </div>
      </div>
      {isDrawerOpen ? (
        <Suspense>
          <ThreadsDrawer onClose={() => setDrawerOpen(false)}>{panel(() => setDrawerOpen(false))}</ThreadsDrawer>
        </Suspense>
      ) : null}
    </ChatContext>
  );
}

"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { newId } from "#lib/client/new-id.ts";
import { forgetThread, rememberThread } from "#lib/client/recent-threads.ts";
import { titleOf } from "#lib/client/threads.ts";
import type { ConsoleCaller } from "#lib/rules/http/console-caller.ts";
import type { Caller } from "../_auth/caller.ts";
import { LazyAuthRequired } from "../_auth/lazy-auth-required.tsx";
import { useCustomHeaders } from "../_auth/use-custom-headers.ts";
import { useThreadChanges } from "../_shell/use-thread-changes.ts";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { lazyDialog, lazyPart, preload } from "../_ui/lazy-part.ts";
import { Loading } from "../_ui/skeleton.tsx";
import type { ChatAssistant, ChosenAssistant } from "./assistant.ts";
import { ChatContext } from "./chat-context.ts";
import { Conversation } from "./conversation.tsx";
import type { FirstPage } from "./thread-list.ts";
import { useThreads } from "./use-threads.ts";

const ThreadsPanel = lazyPart(() => import("./threads-panel.tsx").then((part) => ({ default: part.ThreadsPanel })));
// The code is on its way while the page is hydrated.
preload(ThreadsPanel.load);

const ThreadsDrawer = lazyDialog(() => import("../_ui/dialog.tsx").then(({ Drawer }) => ({ default: Drawer })));

interface ChatViewProps {
  deployment: string;
  /** The caller as which the console calls the deployment if the visitor enters no headers. */
  caller: ConsoleCaller;
  isLinkPrinted: boolean;
  assistant: ChosenAssistant;
  assistants: readonly ChatAssistant[];
  /** The thread that the URL names, as the server found it. */
  opened?: { id: string; title: string };
  first: FirstPage;
  /** Replaces the conversation for an assistant that takes no messages. */
  children?: ReactNode;
}

const NO_THREADS: FirstPage = { threads: [], total: 0 };

/** Shows the chat of a deployment, or asks the visitor to authenticate. */
export function ChatView({ first, opened, isLinkPrinted, ...props }: ChatViewProps) {
  const customHeaders = useCustomHeaders(apiBase(props.deployment));
  // The server has looked up the threads of another caller, so they are not used.
  if (customHeaders !== undefined) return <Threads key={customHeaders} {...props} caller="custom" first={NO_THREADS} />;
  const { deployment, caller } = props;
  if (caller === "closed" || caller === "disabled") {
    const page = { label: "Chat", path: "chat" };
    return <LazyAuthRequired deployment={deployment} caller={caller} isLinkPrinted={isLinkPrinted} page={page} />;
  }
  return <Threads {...props} caller={caller} first={first} opened={opened} />;
}

/** Shows the list of threads beside the open one. */
function Threads({
  deployment,
  caller,
  assistant,
  assistants,
  opened,
  first,
  children,
}: Omit<ChatViewProps, "caller" | "isLinkPrinted"> & { caller: Caller }) {
  const router = useRouter();
  const changes = useThreadChanges(deployment);
  const list = useThreads(deployment, first, changes);
  const query = useSearchParams();
  const requested = query.get("thread") ?? undefined;
  // A new thread has its id before it is created, so that the page keeps the same conversation.
  const [draft, setDraft] = useState(() => ({ id: newId(), assistant: assistant.id, used: false }));
  // The URL names the thread shortly after its first message, so it tells whether there was one.
  if (requested === draft.id && !draft.used) setDraft({ ...draft, used: true });
  if ((requested === undefined && draft.used) || (requested !== draft.id && draft.assistant !== assistant.id)) {
    setDraft({ id: newId(), assistant: assistant.id, used: false });
  }
  const thread = requested ?? draft.id;
  const [isDrawerOpen, setDrawerOpen] = useState(false);

  const base = `${deploymentPath(deployment)}/chat`;
  const newChat = (id = assistant.id): string => `${base}?assistant=${encodeURIComponent(id)}`;
  const summary = list.threads.find((one) => one.thread_id === requested);
  const title = summary ? titleOf(summary) : opened?.id === requested ? opened?.title : undefined;
  useEffect(() => {
    if (requested !== undefined && title !== undefined)
      rememberThread(deployment, { id: requested, title, where: "chat" });
  }, [deployment, requested, title]);
  const panel = (onOpen?: () => void): ReactNode => (
    <Suspense fallback={<Loading what="the threads" className="m-3 h-40" />}>
      <ThreadsPanel
        list={list}
        assistants={assistants}
        current={requested}
        hrefOf={(id) => `${base}?thread=${id}`}
        newChat={newChat()}
        onOpen={onOpen}
        onDeleted={(id) => {
          forgetThread(deployment, id);
          if (id === requested) router.replace(newChat());
        }}
      />
    </Suspense>
  );
  const showThreadInUrl = (): void => {
    // Replaces the URL without a navigation, which would reload the running conversation.
    window.history.replaceState(null, "", `${newChat()}&thread=${draft.id}`);
  };
  return (
    <ChatContext
      value={{
        deployment,
        caller,
        assistant,
        assistants,
        title,
        changes,
        newChat,
        openList: () => setDrawerOpen(true),
      }}
    >
      <div className="flex min-h-0 flex-1">
        <aside
          aria-label="Thread list"
          className="sticky top-0 hidden h-dvh w-66 shrink-0 border-r border-line lg:block"
        >
          {panel()}
        </aside>
        <div className="flex min-w-0 flex-1 flex-col">
          {children ?? (
            <Conversation
              key={`${thread} ${assistant.id}`}
              thread={thread}
              checkpoint={query.get("checkpoint") ?? undefined}
              isNew={thread === draft.id}
              onStart={showThreadInUrl}
              onGone={() => forgetThread(deployment, thread)}
              onChange={() => void list.refresh()}
            />
          )}
        </div>
      </div>
      {isDrawerOpen ? (
        <Suspense>
          <ThreadsDrawer open onClose={() => setDrawerOpen(false)} title="Threads">
            {panel(() => setDrawerOpen(false))}
          </ThreadsDrawer>
        </Suspense>
      ) : null}
    </ChatContext>
  );
}

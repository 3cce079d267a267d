"use client";

import { ArrowDown } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { useStickToBottom } from "use-stick-to-bottom";
import type { ChatState } from "#lib/client/chat-state.ts";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { LoadFailure, Notice } from "../_ui/notice.tsx";
import { Loading, Skeleton } from "../_ui/skeleton.tsx";
import { useMounted } from "../_ui/use-mounted.ts";
import { ChatBar } from "./chat-bar.tsx";
import { useChatContext } from "./chat-context.ts";
import { Composer, type Draft } from "./composer.tsx";
import { Connection } from "./connection.tsx";
import { ExchangeView } from "./exchange-view.tsx";
import { Starters } from "./starters.tsx";
import { useChat } from "./use-chat.ts";

const COLUMN = "mx-auto w-full max-w-186 px-4";

/** The conversation of one thread. The parent keys it by the thread. */
export function Conversation({
  thread,
  isNew,
  onStart,
  onChange,
}: {
  thread: string;
  isNew: boolean;
  /** Called with the first message of the thread. */
  onStart: () => void;
  /** Called when a run has started or ended. */
  onChange: () => void;
}) {
  const { deployment, assistant } = useChatContext();
  const { chat, state } = useChat({ deployment, thread, isNew, assistant: assistant.id, onChange });
  const [showTools, setShowTools] = useState(true);
  const [draft, setDraft] = useState<Draft>({ text: "" });
  const reduced = useMounted() && matchMedia("(prefers-reduced-motion: reduce)").matches;
  const { scrollRef, contentRef, isAtBottom, scrollToBottom } = useStickToBottom({
    initial: "instant",
    resize: reduced ? "instant" : "smooth",
  });

  const last = state.exchanges.at(-1);
  const edit = (id: string, text: string) => {
    if (!state.running) setDraft({ text, editing: { id, isLast: id === last?.turn.id } });
  };
  const send = (question: string) => {
    if (state.exchanges.length === 0) onStart();
    void (draft.editing ? chat.askAgain(draft.editing.id, question) : chat.send(question));
    setDraft({ text: "" });
    void scrollToBottom();
  };
  useEscape(() => {
    if (state.running) chat.stop();
    else if (draft.editing) setDraft({ text: "" });
  });

  return (
    <>
      <ChatBar showTools={showTools} onShowTools={hasTools(state) ? setShowTools : undefined} />
      <main id="main" tabIndex={-1} className="flex h-[calc(100dvh-3.25rem)] min-h-0 flex-col outline-none">
        <h1 className="sr-only">Chat with {assistant.name}</h1>
        <div className="relative min-h-0 flex-1">
          <section ref={scrollRef} aria-label="Messages" className="size-full overflow-y-auto">
            <div ref={contentRef} className={`${COLUMN} flex min-h-full flex-col gap-7 py-6`}>
              {state.exchanges.map((exchange, index) => (
                <ExchangeView
                  key={exchange.turn.id}
                  exchange={exchange}
                  assistant={assistant.name}
                  showTools={showTools}
                  isLast={index === state.exchanges.length - 1}
                  canAct={!state.running}
                  chat={chat}
                  onEdit={edit}
                />
              ))}
              {state.exchanges.length === 0 ? (
                <EmptyThread state={state} onAsk={send} onRetry={() => void chat.open()} />
              ) : null}
            </div>
          </section>
          {isAtBottom || state.exchanges.length === 0 ? null : (
            <Button
              onClick={() => void scrollToBottom()}
              className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-float"
            >
              <ArrowDown /> Latest
            </Button>
          )}
        </div>
        <div className={`${COLUMN} pb-4 md:pb-6`}>
          <Connection reconnecting={state.reconnecting} />
          {state.thread === "gone" || (state.thread === "failed" && !last) ? null : (
            <Composer
              assistant={assistant.name}
              draft={draft}
              running={state.running}
              ready={state.thread === "here"}
              onDraft={setDraft}
              onSend={send}
              onStop={chat.stop}
              onEditLast={() => last && edit(last.turn.id, last.turn.question)}
            />
          )}
        </div>
      </main>
      <output className="sr-only">{statusText(state)}</output>
    </>
  );
}

/** Replaces the messages of a thread that is empty, loading, deleted or unreadable. */
function EmptyThread({
  state: { thread, reason },
  onAsk,
  onRetry,
}: {
  state: ChatState;
  onAsk: (question: string) => void;
  onRetry: () => void;
}): ReactNode {
  const { assistant, newChat } = useChatContext();
  if (thread === "loading") return <ThreadSkeleton />;
  if (thread === "gone") {
    return (
      <Notice
        tone="neutral"
        title="This thread no longer exists"
        action={
          <ButtonLink variant="primary" href={newChat()}>
            New thread
          </ButtonLink>
        }
      >
        It was deleted, or the URL is incomplete. The list has the other threads.
      </Notice>
    );
  }
  if (thread === "failed") {
    return (
      <LoadFailure what="This thread" onRetry={onRetry}>
        {reason} The thread is still stored on the server.
      </LoadFailure>
    );
  }
  return <Starters assistant={assistant} onAsk={onAsk} />;
}

/** A skeleton of the size of a question with its answer. */
function ThreadSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <Loading what="the thread" />
      {["w-2/5", "w-full"].map((width) => (
        <div key={width} className="flex gap-3">
          <Skeleton className="size-6.5 shrink-0" />
          <div className="flex flex-1 flex-col gap-2 pt-0.75">
            <Skeleton className="h-5 w-16" />
            <Skeleton className={`h-5 ${width}`} />
          </div>
        </div>
      ))}
    </div>
  );
}

function hasTools({ exchanges }: ChatState): boolean {
  return exchanges.some(({ turn }) => turn.messages.some((message) => message.calls.length > 0));
}

function statusText({ running, reconnecting, exchanges }: ChatState): string {
  if (reconnecting) return "Reconnecting";
  if (running) return "Answering";
  const last = exchanges.at(-1);
  if (!last) return "";
  return last.turn.interrupts.length > 0 ? "The run waits for your input" : "The answer is complete";
}

/** Calls back on Esc wherever the focus is, except while a dialog is open or if another handler has used the key. */
function useEscape(onEscape: () => void): void {
  const callback = useEffectEvent(onEscape);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("[role=dialog]")) callback();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

"use client";

import { ArrowDown } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useStickToBottom } from "use-stick-to-bottom";
import { Button } from "../_ui/button.tsx";
import { useMounted } from "../_ui/use-mounted.ts";
import type { ChatAssistant, ChosenAssistant } from "./assistant.ts";
import { ChatBar } from "./chat-bar.tsx";
import { Composer, type Draft } from "./composer.tsx";
import { Connection } from "./connection.tsx";
import { ExchangeView } from "./exchange-view.tsx";
import { Starters } from "./starters.tsx";
import { useChat } from "./use-chat.ts";

const COLUMN = "mx-auto w-full max-w-186 px-4";

/** A conversation with one assistant. Keyed by deployment and assistant. */
export function ChatRoom({
  deployment,
  assistant,
  assistants,
}: {
  deployment: string;
  assistant: ChosenAssistant;
  assistants: readonly ChatAssistant[];
}) {
  const { chat, state } = useChat(deployment, assistant.id);
  const [showTools, setShowTools] = useState(true);
  const [draft, setDraft] = useState<Draft>({ text: "" });
  const reduced = useMounted() && matchMedia("(prefers-reduced-motion: reduce)").matches;
  const { scrollRef, contentRef, isAtBottom, scrollToBottom } = useStickToBottom({
    initial: "instant",
    resize: reduced ? "instant" : "smooth",
  });

  const last = state.exchanges.at(-1);
  const editLast = () => {
    if (last && !state.running) setDraft({ text: last.turn.question, editing: true });
  };
  const send = (question: string) => {
    void (draft.editing ? chat.askAgain(question) : chat.send(question));
    setDraft({ text: "" });
    void scrollToBottom();
  };
  useEscape(() => {
    if (state.running) chat.stop();
    else if (draft.editing) setDraft({ text: "" });
  });

  return (
    <>
      <ChatBar
        deployment={deployment}
        assistant={assistant}
        assistants={assistants}
        showTools={showTools}
        onShowTools={setShowTools}
        onNew={state.exchanges.length > 0 ? chat.clear : undefined}
      />
      <main id="main" tabIndex={-1} className="flex h-[calc(100dvh-3.25rem)] min-h-0 flex-col outline-none">
        <h1 className="sr-only">Chat with {assistant.name}</h1>
        <div className="relative min-h-0 flex-1">
          <section ref={scrollRef} aria-label="Conversation" className="size-full overflow-y-auto">
            <div ref={contentRef} className={`${COLUMN} flex min-h-full flex-col gap-7 py-6`}>
              {state.exchanges.map((exchange, index) => (
                <ExchangeView
                  key={exchange.turn.id}
                  exchange={exchange}
                  assistant={assistant.name}
                  showTools={showTools}
                  isLast={index === state.exchanges.length - 1}
                  onRetry={() => void chat.askAgain()}
                  onEdit={editLast}
                />
              ))}
              {state.exchanges.length === 0 ? <Starters assistant={assistant} onAsk={send} /> : null}
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
          <Connection />
          <Composer
            assistant={assistant.name}
            draft={draft}
            running={state.running}
            onDraft={setDraft}
            onSend={send}
            onStop={chat.stop}
            onEditLast={editLast}
          />
        </div>
      </main>
      <output className="sr-only">{spoken(state.running, last !== undefined)}</output>
    </>
  );
}

function spoken(running: boolean, any: boolean): string {
  if (running) return "Answering";
  return any ? "The answer is complete" : "";
}

/** Esc stops the answer from wherever the focus is, but belongs to a dialog while one is open. */
function useEscape(onEscape: () => void): void {
  const press = useEffectEvent(onEscape);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("[role=dialog]")) press();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

"use client";

import { useSearchParams } from "next/navigation";
import { type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useStickToBottom } from "use-stick-to-bottom";
import type { ChatState } from "#lib/client/chat-state.ts";
import type { Question } from "#lib/rules/threads/attachments.ts";
import { questionOf, type Turn } from "#lib/rules/threads/transcript.ts";
import { Button } from "../_ui/button.tsx";
import { deploymentPath } from "../_ui/deployment-path.ts";
import { Later } from "../_ui/later.tsx";
import { Loading, Skeleton } from "../_ui/skeleton.tsx";
import { lazyPart, preload } from "../_ui/lazy-part.ts";
import { useMounted } from "../_ui/use-mounted.ts";
import type { Branches, UsedSwitch } from "./branch-switch.tsx";
import { ChatBar } from "./chat-bar.tsx";
import { useChatContext } from "./chat-context.ts";
import { Composer } from "./composer.tsx";
import { Connection } from "./connection.tsx";
import { ExchangeView } from "./exchange-view.tsx";
import { useBranches } from "./use-branches.ts";
import { useChat } from "./use-chat.ts";
import { useDraft } from "./use-draft.ts";
import { ExportFailure, useExport } from "./use-export.tsx";
import { usePreload } from "./use-preload.ts";
import { useWholeState } from "./use-whole-state.ts";

const Starters = lazyPart(() => import("./starters.tsx").then((part) => ({ default: part.Starters })));
preload(Starters.load);
const UnreadThread = lazyPart(() => import("./unread-thread.tsx"));
// The server may be gone when it is needed.
preload(UnreadThread.load);
const FileDrop = lazyPart(() => import("./file-drop.tsx").then((part) => ({ default: part.FileDrop })));
const OlderBranch = lazyPart(() => import("./older-branch.tsx").then((part) => ({ default: part.OlderBranch })));
const Passed = lazyPart(() => import("./passed.tsx"));

const COLUMN = "mx-auto w-full max-w-186 px-4";

interface ConversationProps {
  thread: string;
  /** The checkpoint to show; left out for the newest. */
  checkpoint: string | undefined;
  isNew: boolean;
  /** Called with the first message of the thread. */
  onStart: () => void;
  /** Called when the thread turns out not to exist. */
  onGone: () => void;
  /** Called when a run has started or ended. */
  onChange: () => void;
}

/** The conversation of one thread. The parent keys it by the thread. */
export function Conversation({ thread, checkpoint, isNew, onStart, onGone, onChange }: ConversationProps) {
  const { deployment, assistant, changes } = useChatContext();
  const options = { deployment, thread, checkpoint, isNew, assistant: assistant.id, changes, onChange };
  const { chat, state: known } = useChat(options);
  const state = useWholeState(known, isNew);
  const [showTools, setShowTools] = useState(true);
  // A link may suggest the first question. Only the user sends it.
  const suggested = useSearchParams().get("ask") ?? "";
  const isBegun = !isNew || state.exchanges.length > 0;
  const control = useDraft(`${deployment} ${isBegun ? thread : `new ${assistant.id}`}`, isNew ? suggested : "");
  useGone(state, onGone);
  const { draft, begin, addFiles } = control;
  const { scrollRef, contentRef, isAtBottom, scrollToBottom } = useStickToBottom(useScrolling());
  const branches = useBranchControl(thread, state, chat.open);
  const { onExport, failure } = useExport(chat);
  useBranches(chat, state);
  usePreload();

  const { exchanges, running } = state;
  const last = exchanges.at(-1);
  const canWrite = state.thread !== "gone" && (state.thread !== "failed" || last !== undefined);
  const edit = (turn: Turn) => {
    const isLast = turn.id === last?.turn.id;
    if (!running) begin({ ...questionOf(turn), editing: { id: turn.id, isLast } });
  };
  const send = (question: Question) => {
    if (exchanges.length === 0) onStart();
    void (draft.editing ? chat.askAgain(draft.editing.id, question) : chat.send(question));
    begin();
    void scrollToBottom();
  };
  useEscape(() => {
    if (running) chat.stop();
    else if (draft.editing) begin();
  });

  return (
    <>
      <ChatBar
        showTools={showTools}
        onShowTools={hasTools(state) ? setShowTools : undefined}
        onExport={exchanges.length > 0 ? onExport : undefined}
      />
      <main id="main" tabIndex={-1} className="relative flex h-[calc(100dvh-3.25rem)] min-h-0 flex-col outline-none">
        <h1 className="sr-only">Chat with {assistant.name}</h1>
        <div className="relative min-h-0 flex-1">
          <section ref={scrollRef} aria-label="Messages" className="size-full overflow-y-auto">
            <div ref={contentRef} className={`${COLUMN} flex min-h-full flex-col gap-7 py-6`}>
              {exchanges.length > 0 ? (
                <Later fallback={isNew ? null : <ThreadSkeleton />}>
                  {exchanges.map((exchange, index) => (
                    <ExchangeView
                      key={exchange.turn.id}
                      exchange={exchange}
                      next={exchanges[index + 1]?.turn.id}
                      forks={branches.forks.get(exchange.turn.id)}
                      assistant={assistant.name}
                      showTools={showTools}
                      canAct={!running}
                      chat={chat}
                      branches={branches.control}
                      onEdit={edit}
                    />
                  ))}
                </Later>
              ) : (
                <EmptyThread
                  state={state}
                  onAsk={(text) => send({ text, attachments: [] })}
                  onRetry={() => void chat.open(checkpoint)}
                />
              )}
            </div>
          </section>
          {isAtBottom || exchanges.length === 0 ? null : (
            <Button
              onClick={() => void scrollToBottom()}
              className="absolute bottom-3 left-1/2 -translate-x-1/2 shadow-float"
            >
              <span aria-hidden>↓</span> Latest
            </Button>
          )}
        </div>
        <div className={`${COLUMN} pb-4 md:pb-6`}>
          <ExportFailure reason={failure} />
          <Connection running={running} interruption={state.interruption} />
          <Suspense>
            {state.passed ? (
              <div className="mb-2">
                <Passed passed={state.passed} />
              </div>
            ) : null}
            <OlderBranch state={state} onNewest={() => void chat.open()} />
          </Suspense>
          {canWrite ? (
            <Composer
              assistant={assistant.name}
              control={control}
              running={running}
              ready={state.thread === "here"}
              onSend={send}
              onStop={chat.stop}
              onEditLast={() => last && edit(last.turn)}
            />
          ) : null}
        </div>
        {canWrite ? (
          <Suspense>
            <FileDrop onFiles={addFiles} />
          </Suspense>
        ) : null}
      </main>
      <output className="sr-only">{statusText(state)}</output>
    </>
  );
}

function useScrolling() {
  const reduced = useMounted() && matchMedia("(prefers-reduced-motion: reduce)").matches;
  return { initial: "instant", resize: reduced ? "instant" : "smooth" } as const;
}

/** Returns the forks of each turn, and what their switches do. */
function useBranchControl(
  thread: string,
  { forks, newest, running }: ChatState,
  open: (leaf?: string) => Promise<void>,
) {
  const { deployment, assistant } = useChatContext();
  const used = useRef<UsedSwitch>(undefined);
  const byTurn = useMemo(() => Map.groupBy(forks ?? [], (fork) => fork.turn), [forks]);
  const control = useMemo((): Branches => {
    const base = deploymentPath(deployment);
    const queryOf = (checkpoint?: string): string =>
      new URLSearchParams({ thread, ...(checkpoint !== undefined && { checkpoint }) }).toString();
    return {
      markUsed: (one) => {
        used.current = one;
      },
      takeUsed: (at) => {
        const last = used.current;
        if (!last || last.at !== at) return undefined;
        used.current = undefined;
        return last.step;
      },
      disabled: running,
      show: (leaf) => void open(leaf === newest ? undefined : leaf),
      studioHref: (checkpoint) => `${base}/studio/${encodeURIComponent(assistant.graph)}?${queryOf(checkpoint)}`,
      chatHref: (checkpoint) => `${base}/chat?${queryOf(checkpoint)}`,
    };
  }, [deployment, assistant.graph, thread, newest, running, open]);
  return { forks: byTurn, control };
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
  if (thread === "gone" || thread === "failed") {
    return (
      <Suspense>
        <UnreadThread reason={thread === "failed" ? (reason ?? "") : undefined} newChat={newChat()} onRetry={onRetry} />
      </Suspense>
    );
  }
  return (
    <Suspense>
      <Starters assistant={assistant} onAsk={onAsk} />
    </Suspense>
  );
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

function statusText({ running, interruption, exchanges }: ChatState): string {
  if (interruption) return "Reconnecting";
  if (running) return "Answering";
  const last = exchanges.at(-1);
  if (!last) return "";
  return last.turn.interrupts.length > 0 ? "The run waits for your input" : "The answer is complete";
}

/** Calls back when the thread turns out not to exist. */
function useGone({ thread }: ChatState, onGone: () => void): void {
  const report = useEffectEvent(onGone);
  useEffect(() => {
    if (thread === "gone") report();
  }, [thread]);
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

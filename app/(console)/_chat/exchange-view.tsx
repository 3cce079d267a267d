"use client";

import { Pencil, RotateCcw } from "lucide-react";
import { lazy, memo, type ReactNode, Suspense } from "react";
import type { Chat } from "#lib/client/chat.ts";
import type { ChatExchange } from "#lib/client/chat-state.ts";
import { type TurnPart, partsOf, type Turn } from "#lib/rules/threads/transcript.ts";
import { IconButton } from "../_ui/button.tsx";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Dot } from "../_ui/status.tsx";
import { Answer } from "./answer.tsx";
import { RunEnd } from "./run-end.tsx";
import { ToolCard } from "./tool-card.tsx";

const InterruptCard = lazy(() => import("./interrupt-card.tsx"));

interface ExchangeViewProps {
  exchange: ChatExchange;
  assistant: string;
  showTools: boolean;
  isLast: boolean;
  /** True if no run is active, so that messages can be edited. */
  canAct: boolean;
  chat: Chat;
  onEdit: (id: string, question: string) => void;
}

/** Shows a question and its answer. */
export const ExchangeView = memo(
  ExchangeContent,
  (before, after) =>
    // `onEdit` is left out: it is a new function on each render, with the same effect.
    before.exchange === after.exchange &&
    before.showTools === after.showTools &&
    before.isLast === after.isLast &&
    before.canAct === after.canAct &&
    before.chat === after.chat &&
    before.assistant === after.assistant,
);

function ExchangeContent({ exchange, assistant, showTools, isLast, canAct, chat, onEdit }: ExchangeViewProps) {
  const { turn, end } = exchange;
  const live = end === undefined;
  const parts = partsOf(turn, live);
  const shown = showTools ? parts : parts.filter((part) => part.kind === "text");
  const onRetry = () => void chat.askAgain(turn.id);
  const answerText = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
  return (
    <article className="flex flex-col gap-6">
      {turn.question === "" ? null : (
        <Speaker
          name="You"
          initial="Y"
          actions={
            <Actions shown={isLast && !live}>
              <CopyButton text={turn.question} label="Copy question" variant="icon" />
              {canAct ? (
                <IconButton size="small" label="Edit question" onClick={() => onEdit(turn.id, turn.question)}>
                  <Pencil />
                </IconButton>
              ) : null}
            </Actions>
          }
        >
          <p className="break-words whitespace-pre-wrap">{turn.question}</p>
        </Speaker>
      )}
      <Speaker name={assistant} initial={assistant.slice(0, 1).toUpperCase()} accent>
        <div className="flex flex-col gap-3">
          {shown.map((part) =>
            part.kind === "text" ? (
              <Answer key={part.id} text={part.text} live={live && part === parts.at(-1)} />
            ) : (
              <ToolCard key={part.id} part={part} />
            ),
          )}
          {live ? <Working parts={parts} /> : null}
          {!live && parts.length === 0 ? <StateOnly turn={turn} /> : null}
          {turn.interrupts.map((interrupt) => (
            <Suspense key={interrupt.id}>
              <InterruptCard
                interrupt={interrupt}
                onAnswer={(value) => {
                  // The pressed button is removed, so the focus moves to the conversation.
                  document.getElementById("main")?.focus({ preventScroll: true });
                  void chat.answer(interrupt.id, value);
                }}
              />
            </Suspense>
          ))}
          {end ? (
            <RunEnd
              end={end}
              error={turn.error}
              isAnswer={turn.interrupts.length > 0}
              onRetry={isLast && turn.interrupts.length === 0 ? onRetry : undefined}
            />
          ) : null}
        </div>
        <div className="-mb-2 -ml-1.5 pt-1">
          <Actions shown={isLast && !live}>
            {answerText === "" ? null : <CopyButton text={answerText} label="Copy answer" variant="icon" />}
            {isLast && end && end.how !== "refused" && end.how !== "lost" && !turn.error ? (
              <IconButton size="small" label="Regenerate" onClick={onRetry}>
                <RotateCcw />
              </IconButton>
            ) : null}
          </Actions>
        </div>
      </Speaker>
    </article>
  );
}

function Speaker({
  name,
  initial,
  accent = false,
  actions,
  children,
}: {
  name: string;
  initial: string;
  accent?: boolean;
  /** Shown at the right of the name. */
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="group/speaker flex gap-3">
      <span
        aria-hidden
        className={`flex size-6.5 shrink-0 items-center justify-center rounded-[7px] text-small font-semibold ${accent ? "bg-accent-soft text-accent" : "bg-well text-ink-2"}`}
      >
        {initial}
      </span>
      <div className="min-w-0 flex-1 pt-0.75">
        <div className="mb-1 flex h-5 items-center justify-between">
          <h2 className="font-semibold">{name}</h2>
          {actions}
        </div>
        {children}
      </div>
    </div>
  );
}

/** Shows buttons on hover and focus. They keep their place, so that nothing moves. */
function Actions({ shown, children }: { shown: boolean; children: ReactNode }) {
  const classes = shown ? "" : "opacity-0 group-focus-within/speaker:opacity-100 group-hover/speaker:opacity-100";
  return <div className={`flex items-center transition-opacity pointer-coarse:opacity-100 ${classes}`}>{children}</div>;
}

/** Says what the run is doing. While text streams, the text itself shows it. */
function Working({ parts }: { parts: readonly TurnPart[] }) {
  const last = parts.at(-1);
  if (last?.kind === "text") return null;
  const word = last?.state === "running" ? `Running ${last.name}…` : "Thinking…";
  return (
    <p className="flex items-center gap-2.5 text-ink-2">
      <Dot tone="running" /> {word}
    </p>
  );
}

/** Shows the state after a run without messages, because the run may have changed it. */
function StateOnly({ turn }: { turn: Turn }) {
  const keys = Object.keys(turn.values ?? {});
  if (keys.length === 0 || turn.interrupts.length > 0 || turn.error) return null;
  return (
    <div className="rounded-card border border-line bg-surface px-4 py-3">
      <p className="mb-2 text-small text-ink-2">The run ended without a message. Its state:</p>
      <pre className="max-h-72 overflow-auto font-mono text-code break-words whitespace-pre-wrap">
        {JSON.stringify(turn.values, null, 2)}
      </pre>
    </div>
  );
}

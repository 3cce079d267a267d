"use client";

import { Pencil, RotateCcw } from "lucide-react";
import { type ComponentProps, memo, type ReactNode, Suspense } from "react";
import type { Chat } from "#lib/client/chat.ts";
import type { ChatExchange, ShownFork } from "#lib/client/chat-state.ts";
import type { ForkPlace } from "#lib/rules/threads/branches.ts";
import { type TurnPart, partsOf, type Turn } from "#lib/rules/threads/transcript.ts";
import { IconButton } from "../_ui/button.tsx";
import { lazyPart } from "../_ui/lazy-part.ts";
import { CopyButton } from "../_ui/copy-button.tsx";
import { Skeleton } from "../_ui/skeleton.tsx";
import { Dot } from "../_ui/status.tsx";
import { Answer, Markdown } from "./answer.tsx";
import type { Branches } from "./branch-switch.tsx";
import { forgetAnswer } from "./kept-answer.ts";
import { RunEnd } from "./run-end.tsx";

const ToolCard = lazyPart(() => import("./tool-card.tsx").then((part) => ({ default: part.ToolCard })));
const StateOnly = lazyPart(() => import("./state-only.tsx"));
const BlockView = lazyPart(() => import("./block-view.tsx"));
const BranchSwitch = lazyPart(() => import("./branch-switch.tsx"));
const LoadedMenu = lazyPart(() => import("./message-menu.tsx"));
const QuestionFiles = lazyPart(() => import("./message-files.tsx").then((part) => ({ default: part.QuestionFiles })));
const InterruptCard = lazyPart(() => import("./interrupt-card.tsx"));

/** Loads the parts that most answers have, without which a conversation would move when they come. */
export async function loadAnswerParts(): Promise<void> {
  await Promise.all([Markdown.load(), ToolCard.load(), InterruptCard.load()]);
}

interface ExchangeViewProps {
  exchange: ChatExchange;
  /** The id of the next question; undefined for the last exchange. */
  next: string | undefined;
  /** The forks at which other branches part from this exchange. */
  forks: readonly ShownFork[] | undefined;
  assistant: string;
  showTools: boolean;
  /** True if no run is active, so that messages can be edited. */
  canAct: boolean;
  chat: Chat;
  branches: Branches;
  onEdit: (turn: Turn) => void;
}

/** Shows a question and its answer. */
export const ExchangeView = memo(
  ExchangeContent,
  (before, after) =>
    // `onEdit` is left out: it is a new function on each render, with the same effect.
    before.exchange === after.exchange &&
    before.next === after.next &&
    before.forks === after.forks &&
    before.showTools === after.showTools &&
    before.canAct === after.canAct &&
    before.chat === after.chat &&
    before.branches === after.branches &&
    before.assistant === after.assistant,
);

function ExchangeContent(props: ExchangeViewProps) {
  const { turn } = props.exchange;
  const isAsked = turn.question !== "" || turn.attachments !== undefined;
  return (
    <article className="flex flex-col gap-6">
      {isAsked ? <AskedQuestion {...props} /> : null}
      <GivenAnswer {...props} />
    </article>
  );
}

function AskedQuestion(props: ExchangeViewProps) {
  const { exchange, next, canAct, onEdit } = props;
  const { turn, end } = exchange;
  const { question, attachments } = turn;
  const onAct = canAct ? () => onEdit(turn) : undefined;
  const actions = (
    <Actions shown={next === undefined && end !== undefined}>
      {question === "" ? null : <CopyButton text={question} label="Copy question" variant="icon" />}
      {onAct ? (
        <IconButton size="small" label="Edit question" onClick={onAct}>
          <Pencil />
        </IconButton>
      ) : null}
      {end ? (
        <MessageMenu
          label="More about this question"
          actions={{ text: question, onEdit: onAct, ...linksOf(props, "question") }}
        />
      ) : null}
    </Actions>
  );
  return (
    <Speaker name="You" initial="Y" actions={actions}>
      {question === "" ? null : <p className="break-words whitespace-pre-wrap">{question}</p>}
      {attachments ? (
        <Suspense>
          <QuestionFiles attachments={attachments} />
        </Suspense>
      ) : null}
      <Forks {...props} within="question" />
    </Speaker>
  );
}

function GivenAnswer(props: ExchangeViewProps) {
  const { exchange, next, assistant, showTools, canAct, chat, branches } = props;
  const { turn, end } = exchange;
  const live = end === undefined;
  const isLast = next === undefined;
  const parts = partsOf(turn, live);
  const shown = showTools ? parts : parts.filter((part) => part.kind !== "tool");
  const onRetry = () => void chat.askAgain(turn.id);
  const answerText = parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n\n");
  const canRegenerate = canAct && end && end.how !== "refused" && end.how !== "lost" && !turn.error;
  return (
    <Speaker name={assistant} initial={assistant.slice(0, 1).toUpperCase()} accent>
      <div className="flex flex-col gap-3">
        {shown.map((part) => (
          <Part key={part.id} part={part} live={live && part === parts.at(-1)} />
        ))}
        {live ? <Working parts={parts} /> : null}
        {!live && parts.length === 0 ? (
          <Suspense>
            <StateOnly turn={turn} />
          </Suspense>
        ) : null}
        <Interrupts turn={turn} chat={chat} />
        {end ? (
          <RunEnd
            end={end}
            error={turn.error}
            isAnswer={turn.interrupts.length > 0}
            onRetry={isLast && turn.interrupts.length === 0 ? onRetry : undefined}
          />
        ) : null}
      </div>
      <Forks {...props} within="answer" />
      <div className="-mb-2 -ml-1.5 pt-1">
        <Actions shown={isLast && !live}>
          {answerText === "" ? null : <CopyButton text={answerText} label="Copy answer" variant="icon" />}
          {isLast && canRegenerate ? (
            <IconButton size="small" label="Regenerate" onClick={onRetry}>
              <RotateCcw />
            </IconButton>
          ) : null}
          {live || parts.length === 0 ? null : (
            <MessageMenu
              label="More about this answer"
              align="start"
              actions={{
                text: answerText,
                onRegenerate: canRegenerate ? onRetry : undefined,
                onFork: canAct && !isLast ? branches.show : undefined,
                ...linksOf(props, "answer"),
              }}
            />
          )}
        </Actions>
      </div>
    </Speaker>
  );
}

/** Returns the links of a message, and how the checkpoint that they name is found. */
function linksOf({ exchange, next, chat, branches }: ExchangeViewProps, within: ForkPlace["within"]) {
  const { api, thread, state } = chat;
  const checkpointOf = async (): Promise<string | undefined> => {
    const { checkpoint: shown, newest } = state();
    const { originOf } = await import("#lib/client/thread-history.ts");
    if (within === "question") return (await originOf(api, thread, exchange.turn.id, shown))?.first;
    // The answer is complete at the checkpoint before the next question.
    return next === undefined ? (shown ?? newest) : (await originOf(api, thread, next, shown))?.before;
  };
  return { checkpointOf, studioHref: branches.studioHref, chatHref: branches.chatHref };
}

function Forks({ forks, within, branches }: ExchangeViewProps & Pick<ForkPlace, "within">): ReactNode {
  return forks
    ?.filter((fork) => fork.within === within)
    .map((fork) => (
      <Suspense key={fork.at ?? "start"}>
        <BranchSwitch fork={fork} branches={branches} />
      </Suspense>
    ));
}

function Part({ part, live }: { part: TurnPart; live: boolean }) {
  switch (part.kind) {
    case "text":
      return <Answer text={part.text} live={live} />;
    case "block":
      return (
        <Suspense>
          <BlockView block={part.block} />
        </Suspense>
      );
    case "tool":
      return (
        <Suspense fallback={<Skeleton className="h-11" />}>
          <ToolCard part={part} />
        </Suspense>
      );
  }
}

function Interrupts({ turn, chat }: { turn: Turn; chat: Chat }): ReactNode {
  return turn.interrupts.map((interrupt) => (
    <Suspense key={interrupt.id}>
      <InterruptCard
        interrupt={interrupt}
        onAnswer={(value) => {
          // The pressed button is removed, so the focus moves to the conversation.
          document.getElementById("main")?.focus({ preventScroll: true });
          void chat.answer(interrupt.id, value).then((isTaken) => {
            if (isTaken) forgetAnswer(interrupt);
          });
        }}
      />
    </Suspense>
  ));
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

/** The menu of a message, which has its place before its code is loaded. */
function MessageMenu(props: ComponentProps<typeof LoadedMenu>) {
  return (
    <Suspense fallback={<span className="size-7 pointer-coarse:size-9" />}>
      <LoadedMenu {...props} />
    </Suspense>
  );
}

/** Says what the run is doing. While text streams, the text itself shows it. */
function Working({ parts }: { parts: readonly TurnPart[] }) {
  const last = parts.at(-1);
  if (last?.kind === "text") return null;
  const word = last?.kind === "tool" && last.state === "running" ? `Running ${last.name}…` : "Thinking…";
  return (
    <p className="flex items-center gap-2.5 text-ink-2">
      <Dot tone="running" /> {word}
    </p>
  );
}

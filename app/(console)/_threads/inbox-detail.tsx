"use client";

import { Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import type { RoomApi } from "#lib/client/rooms.ts";
import type { ListedThread } from "#lib/client/listed-threads.ts";
import { RequestFailure } from "#lib/client/refusal.ts";
import { INTERRUPT_ID } from "#lib/rules/interrupts/open-interrupts.ts";
import { errorMessage } from "#lib/rules/text/error-message.ts";
import type { TurnInterrupt } from "#lib/rules/threads/transcript.ts";
import { Markdown } from "../_chat/answer.tsx";
import { forgetAnswer } from "../_chat/kept-answer.ts";
import type { PassedProps } from "../_chat/passed.tsx";
import { Button, ButtonLink } from "../_ui/button.tsx";
import { lazyPart, preload } from "../_ui/lazy-part.ts";
import { Notice } from "../_ui/notice.tsx";
import { Skeleton } from "../_ui/skeleton.tsx";
import { threadLinks } from "../_rooms/thread-links.ts";
import { openInterrupts } from "./waits-for.ts";

const InterruptCard = lazyPart(() => import("../_chat/interrupt-card.tsx"));
preload(InterruptCard.load);
preload(Markdown.load);

interface InboxDetailProps {
  deployment: string;
  api: RoomApi;
  thread: ListedThread;
  /** True on the thread's own page, which has its links elsewhere. */
  isPage?: boolean;
  onAnswered: () => void;
  /** Called if the thread has gone on without an answer from here. */
  onPassed: (told: PassedProps) => void;
}

/** Shows the questions for which a thread waits, with their forms. */
export function InboxDetail({ deployment, api, thread, isPage = false, onAnswered, onPassed }: InboxDetailProps) {
  const [sending, setSending] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const interrupts = openInterrupts(thread);
  const links = threadLinks(deployment, thread);
  const expectClosing = useClosedElsewhere(api, thread, () => onPassed({ passed: "closed" }));

  const send = (id: string, request: Promise<unknown>): void => {
    setSending(id);
    setFailure(undefined);
    expectClosing("here");
    request.then(onAnswered, (error: unknown) => {
      setSending(undefined);
      const isPassed = error instanceof RequestFailure && (error.status === 409 || error.status === 422);
      if (isPassed) onPassed({ passed: "late", reason: error.message });
      else {
        expectClosing("elsewhere");
        setFailure(errorMessage(error));
      }
    });
  };
  return (
    <div className="flex max-w-186 flex-col gap-3">
      {failure === undefined ? null : (
        <Notice alert tone="bad" title="The answer was not sent">
          {failure}
        </Notice>
      )}
      {interrupts.map((interrupt) =>
        sending === interrupt.id ? (
          <output key={interrupt.id} className="text-ink-2">
            Sending the answer…
          </output>
        ) : (
          <Suspense key={interrupt.id} fallback={<Skeleton className="h-32 rounded-card" />}>
            <InterruptCard
              interrupt={interrupt}
              onAnswer={(value) => {
                const taken = answer(api, thread, interrupt, value).then(() => forgetAnswer(interrupt));
                send(interrupt.id, taken);
              }}
            />
          </Suspense>
        ),
      )}
      {interrupts.length === 0 ? (
        <p className="text-ink-2">The graph stopped at a breakpoint. It continues from there when you let it.</p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {interrupts.length === 0 ? (
          <Button
            variant="primary"
            disabled={sending !== undefined}
            onClick={() => send("", api.threads.start(thread.thread_id, requestOf(thread, { input: null })))}
          >
            Continue
          </Button>
        ) : null}
        {isPage ? null : (
          <ButtonLink href={links.page} prefetch={false}>
            Open the thread
          </ButtonLink>
        )}
        {isPage || links.studio === undefined ? null : (
          <ButtonLink href={links.studio} prefetch={false}>
            Open in Studio
          </ButtonLink>
        )}
        {isPage ? null : (
          <ButtonLink href={links.chat} prefetch={false}>
            Open in Chat
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

type Closer = "here" | "elsewhere";

/**
 * Calls back when the questions that were shown are closed by somebody else. The function that it returns says who closes
 * them if they are closed from now on: this page, while it sends an answer.
 */
function useClosedElsewhere(api: RoomApi, thread: ListedThread, onClosed: () => void) {
  const closing = useRef<Closer>("elsewhere");
  const asked = questionsOf(thread);
  const onHidden = useEffectEvent(async (hidden: string): Promise<void> => {
    const { rows } = await api.threads.page({ ids: [thread.thread_id] }, "", new AbortController().signal);
    const [now] = rows;
    if (now && (now.status === "busy" || !now.waiting || questionsOf(now) !== hidden)) onClosed();
  });
  useEffect(() => {
    closing.current = "elsewhere";
    // The questions are also hidden when their row is closed, or scrolls out of view: then they are still open.
    return () => {
      if (closing.current === "elsewhere") onHidden(asked).catch(() => undefined);
    };
  }, [asked]);
  return (by: Closer) => {
    closing.current = by;
  };
}

function questionsOf(thread: ListedThread): string {
  return [thread.thread_id, ...openInterrupts(thread).map(({ id }) => id)].join(" ");
}

/** Interrupts of older LangGraph have no ids. An answer then resumes the thread unless a run is active on it. */
function answer(api: RoomApi, thread: ListedThread, { id }: TurnInterrupt, value: unknown): Promise<unknown> {
  if (INTERRUPT_ID.test(id)) return api.threads.answer(thread.thread_id, [{ interrupt_id: id, response: value }]);
  return api.threads.start(thread.thread_id, requestOf(thread, { command: { resume: value } }));
}

function requestOf({ metadata }: ListedThread, what: object) {
  return {
    ...what,
    assistant_id: metadata.assistant_id,
    // The events are stored, so that the chat and the page of the run show all of them.
    stream_resumable: true,
    stream_mode: ["messages-tuple", "values"],
    multitask_strategy: "reject",
  };
}

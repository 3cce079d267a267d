"use client";

import { Suspense, useState } from "react";
import { isAtStart, nextNames } from "#lib/rules/studio/next-names.ts";
import type { TurnInterrupt } from "#lib/rules/threads/transcript.ts";
import { Button } from "../_ui/button.tsx";
import { Dot } from "../_ui/status.tsx";
import { OpenQuestions } from "./open-questions.tsx";
import { useStudio } from "./studio-context.ts";
import { useRunActions } from "./use-run-actions.ts";
import { useShown } from "./use-shown.ts";

/** Shows what the thread waits for: answers, or to go on from a breakpoint. */
export function Pause() {
  const { state } = useStudio();
  const { canGoOn, isEditing } = useRunActions();
  const { questions, isHidden } = useQuestions();
  return (
    <>
      {questions.length > 0 ? (
        <div className={isHidden ? "hidden" : "contents"}>
          <Suspense>
            <OpenQuestions key={state.threadId} interrupts={questions} />
          </Suspense>
        </div>
      ) : null}
      {canGoOn && !isEditing ? <Breakpoint /> : null}
    </>
  );
}

/**
 * Returns the open questions. While a run goes on or a past state is shown, they are the last ones, hidden: what is typed
 * stays for those that are open afterwards.
 */
function useQuestions(): { questions: readonly TurnInterrupt[]; isHidden: boolean } {
  const { state } = useStudio();
  const { threadId, isRunning, details } = state;
  const { interrupts, isNewest } = useShown();
  const [last, setLast] = useState({ threadId, interrupts });
  const isOpen = interrupts.length > 0;
  if (last.threadId !== threadId || (isOpen && last.interrupts !== interrupts)) setLast({ threadId, interrupts });
  const mayReturn = isRunning || details?.status === "busy" || !isNewest;
  return { questions: isOpen ? interrupts : mayReturn ? last.interrupts : [], isHidden: !isOpen };
}

function Breakpoint() {
  const { goOn, isRetry } = useRunActions();
  const { next, isNewest } = useShown();
  const { setQuery } = useStudio();
  const words = isRetry
    ? isAtStart(next)
      ? "Failed at"
      : "Failed in"
    : isNewest
      ? "Paused before"
      : "This was before";
  return (
    <section aria-label={isRetry ? "Failed" : "Paused"} className="shrink-0 border-t border-line px-4 py-3">
      <p className="flex items-center gap-2.5">
        <Dot tone={isRetry ? "bad" : isNewest ? "waiting" : "neutral"} />
        <span className="min-w-0 wrap-anywhere">
          {words} <span className="font-medium">{nextNames(next).join(", ")}</span>
        </span>
      </p>
      {isNewest ? null : (
        <p className="mt-1 text-small text-ink-2">Going on from here begins a branch of the thread.</p>
      )}
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button data-continue variant="primary" onClick={() => goOn("continue")}>
          {isRetry ? "Retry from here" : isNewest ? "Continue" : "Continue from here"}
        </Button>
        {isRetry ? null : <Button onClick={() => goOn("step")}>Step</Button>}
        <Button variant="quiet" onClick={() => void setQuery({ tab: "state", edit: true })}>
          Edit state
        </Button>
      </div>
    </section>
  );
}

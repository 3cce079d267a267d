"use client";

import { useState } from "react";
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
  const { canGoOn } = useRunActions();
  const { questions, isHidden } = useQuestions();
  return (
    <>
      {questions.length > 0 ? (
        <div className={isHidden ? "hidden" : "contents"}>
          <OpenQuestions key={state.threadId} interrupts={questions} />
        </div>
      ) : null}
      {canGoOn ? <Breakpoint /> : null}
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
  const { next } = useShown();
  const { setQuery } = useStudio();
  return (
    <section aria-label={isRetry ? "Failed" : "Paused"} className="shrink-0 border-t border-line px-4 py-3">
      <p className="flex items-center gap-2.5">
        <Dot tone={isRetry ? "bad" : "waiting"} />
        <span className="min-w-0 wrap-anywhere">
          {isRetry ? "Failed in" : "Paused before"} <span className="font-medium">{next.join(", ")}</span>
        </span>
      </p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => goOn("continue")}>
          {isRetry ? "Retry from here" : "Continue"}
        </Button>
        {isRetry ? null : <Button onClick={() => goOn("step")}>Step</Button>}
        <Button variant="quiet" onClick={() => void setQuery({ tab: "state", edit: true })}>
          Edit state
        </Button>
      </div>
    </section>
  );
}

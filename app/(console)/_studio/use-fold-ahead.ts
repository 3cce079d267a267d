"use client";

import { useEffect } from "react";
import { APART, pastRunsOf } from "#lib/rules/studio/history.ts";
import { checkpointIdOf } from "#lib/rules/threads/read-state.ts";
import { useStudio } from "./studio-context.ts";

/** The ms that folding the states between two kept runs may take. */
const FOLD_MS = 10;

/** Folds the history while the page is idle, so that the first move to a past state takes no longer than the next. */
export function useFoldAhead(): void {
  const { history, isRunning } = useStudio().state;
  useEffect(() => {
    // Some browsers have no idle callbacks. There, the first move folds.
    if (isRunning || history.length <= APART || typeof requestIdleCallback === "undefined") return;
    const runs = pastRunsOf(history);
    let place = history.length - 1;
    const foldMore = (idle: IdleDeadline): void => {
      const mayGoOn = (): boolean => idle.timeRemaining() > FOLD_MS;
      for (; place >= 0 && mayGoOn(); place -= APART) {
        const id = checkpointIdOf(history[place]?.checkpoint);
        if (id !== undefined && !runs.foldTowards(id, mayGoOn)) break;
      }
      if (place >= 0) callback = requestIdleCallback(foldMore);
    };
    let callback = requestIdleCallback(foldMore);
    return () => cancelIdleCallback(callback);
  }, [history, isRunning]);
}

"use client";

import { useMemo } from "react";
import { createPastRuns } from "#lib/rules/studio/history.ts";
import type { StudioRun } from "#lib/rules/studio/run.ts";
import type { StateHead } from "#lib/rules/studio/state-heads.ts";
import { checkpointIdOf } from "#lib/rules/threads/read-state.ts";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";

/**
 * Returns the turn that led to the shown state, up to that moment. The newest one is known from the events of its runs,
 * older ones from the thread's history.
 */
export function useShownRun(): StudioRun | undefined {
  const { state } = useStudio();
  const { head, isNewest } = useShown();
  const { history, run, isRunning } = state;
  const wanted = isNewest && run !== undefined && (isRunning || run.steps.size > 0) ? undefined : head;
  const past = useMemo(() => {
    const id = wanted && checkpointIdOf(wanted.checkpoint);
    return id === undefined ? undefined : pastRunsOf(history)(id);
  }, [wanted, history]);
  return wanted ? past : run;
}

/** The runs that were folded of a history, which several parts of the page show. */
const pastRuns = new WeakMap<readonly StateHead[], ReturnType<typeof createPastRuns>>();

export function pastRunsOf(history: readonly StateHead[]): ReturnType<typeof createPastRuns> {
  const known = pastRuns.get(history) ?? createPastRuns(history);
  pastRuns.set(history, known);
  return known;
}

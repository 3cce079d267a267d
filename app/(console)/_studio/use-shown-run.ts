"use client";

import { useEffect, useMemo, useState } from "react";
import { pastRunsOf, withLaterStates } from "#lib/rules/studio/history.ts";
import type { StudioRun } from "#lib/rules/studio/run.ts";
import type { StateHead } from "#lib/rules/studio/state-heads.ts";
import { checkpointIdOf } from "#lib/rules/threads/read-state.ts";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";

/**
 * Returns the turn that led to the shown state, up to that moment. The newest one is known from the events of its runs if
 * they tell its tasks, others from the thread's history. A long history takes some moments to fold, and the newest run is
 * shown meanwhile.
 */
export function useShownRun(): StudioRun | undefined {
  const { state } = useStudio();
  const { head, isNewest } = useShown();
  const { history, run, isRunning } = state;
  const told = useMemo(
    () => (isNewest && run ? (isRunning ? run : withLaterStates(run, history)) : undefined),
    [isNewest, run, isRunning, history],
  );
  const id = told || !head ? undefined : checkpointIdOf(head.checkpoint);
  const isFolded = useFolded(history, id);
  const isReady = isFolded || run === undefined;
  const past = useMemo(
    () => (id !== undefined && isReady ? pastRunsOf(history).runAt(id) : undefined),
    [id, isReady, history],
  );
  return told ?? (head && isReady ? past : run);
}

/** The ms that the page may do nothing else than fold. */
const FOLD_MS = 8;

/** Returns whether the states up to a checkpoint are folded but for some. If not, they will be soon. */
function useFolded(history: readonly StateHead[], id: string | undefined): boolean {
  const [folded, setFolded] = useState<{ history: readonly StateHead[]; id: string }>();
  const isFolded =
    id === undefined ||
    (folded?.history === history && folded.id === id) ||
    pastRunsOf(history).foldTowards(id, () => false);
  useEffect(() => {
    if (isFolded) return;
    const runs = pastRunsOf(history);
    let timer = setTimeout(function fold() {
      const end = performance.now() + FOLD_MS;
      if (runs.foldTowards(id, () => performance.now() < end)) setFolded({ history, id });
      else timer = setTimeout(fold);
    });
    return () => clearTimeout(timer);
  }, [history, id, isFolded]);
  return isFolded;
}

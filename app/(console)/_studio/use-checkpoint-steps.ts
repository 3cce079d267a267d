"use client";

import { useCallback } from "react";
import { checkpointIdOf } from "#lib/rules/threads/read-state.ts";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";

/** Moves through the thread's checkpoints in the order of time. */
export function useCheckpointSteps() {
  const { state, setQuery } = useStudio();
  const { checkpoint } = useShown();
  const { history } = state;
  const at = history.findIndex((head) => checkpointIdOf(head.checkpoint) === checkpoint);
  const show = useCallback(
    (index: number) => {
      const head = history[index];
      // The newest is shown without naming it, so that the page goes on with the thread.
      if (head) void setQuery({ checkpoint: index === 0 ? null : (checkpointIdOf(head.checkpoint) ?? null) });
    },
    [history, setQuery],
  );
  return {
    /** The position of the shown checkpoint: 0 is the newest, -1 none. */
    at,
    show,
    toPrevious: () => show(at + 1),
    toNext: () => show(at - 1),
  };
}

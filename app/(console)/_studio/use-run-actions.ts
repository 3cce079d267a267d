"use client";

import type { StudioState } from "#lib/client/studio/studio-state.ts";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";

/** Returns whether the newest run of the thread failed. */
export const hasFailed = ({ run, details }: StudioState): boolean =>
  run ? run.status === "error" : details?.status === "error";

/** Returns the actions that the shown thread allows now. */
export function useRunActions() {
  const { state, start, input, unreadInput, setQuery, info } = useStudio();
  const { interrupts, next } = useShown();
  const isIdle = !state.isRunning && (state.thread === "here" || state.thread === "none");
  // An interrupt is answered by its form; going on without an answer would raise it again.
  const canGoOn = isIdle && state.thread === "here" && next.length > 0 && interrupts.length === 0;
  const canRun = isIdle && info.isReady;
  return {
    canRun,
    canGoOn,
    /** The run failed, so that going on is another attempt of the failed step. */
    isRetry: canGoOn && hasFailed(state),
    run: () => {
      if (!canRun) return;
      // A run would get another input than the one that was typed.
      if (unreadInput === undefined) void start({ input });
      else void setQuery({ tab: "input" });
    },
    goOn: (how: "continue" | "step") => {
      if (canGoOn) void start({ goOn: how });
    },
  };
}

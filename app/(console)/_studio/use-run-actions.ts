"use client";

import { asksNothing } from "#lib/client/example-input.ts";
import type { StudioState } from "#lib/client/studio/studio-state.ts";
import { liveDrafts } from "#lib/rules/forms/field-drafts.ts";
import { notify } from "../_ui/toast.ts";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";

/** Returns whether the newest run of the thread failed. */
export const hasFailed = ({ run, details }: StudioState): boolean =>
  run ? run.status === "error" : details?.status === "error";

/** Returns the actions that the shown thread allows now. */
export function useRunActions() {
  const { state, start, input, unreadInput, drafts, query, setQuery, info, composer } = useStudio();
  const { interrupts, next, isNewest } = useShown();
  const isIdle = !state.isRunning && state.thread !== "loading" && state.thread !== "failed";
  // An interrupt is answered by its form; going on without an answer would raise it again.
  const canGoOn = isIdle && state.thread === "here" && next.length > 0 && interrupts.length === 0;
  // Going on would leave the edit behind, also one that is just being saved.
  const isEditing = query.edit && query.tab === "state";
  const canRun = isIdle && info.isReady;
  return {
    canRun,
    canGoOn,
    isEditing,
    /** The run failed, so that going on is another attempt of the failed step. */
    isRetry: canGoOn && isNewest && hasFailed(state),
    run: () => {
      if (!canRun) return;
      const message = composer.current?.isShown() ? composer.current : undefined;
      // A run would get another input than the one that was typed.
      const hasDrafts = drafts.input !== undefined && liveDrafts(drafts.input, input).size > 0;
      if (unreadInput !== undefined || hasDrafts) void setQuery({ tab: "input" });
      else if (message && message.text() !== "" && query.tab !== "input") message.submit();
      else if (!asksNothing(input)) void start({ input });
      else if (message) message.submit();
      else {
        void setQuery({ tab: "input" });
        notify({ title: "Nothing was started", detail: "The message of the input is empty." });
      }
    },
    goOn: (how: "continue" | "step") => {
      if (canGoOn && !isEditing) void start({ goOn: how });
    },
  };
}

"use client";

import { useEffect, useState } from "react";
import { keepProgress, keptProgress, lessonAfter, type LessonProgress } from "./lesson-progress.ts";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";

const GRAPH = "agent";
const NODE = "tools";

export interface Lesson {
  readonly done: LessonProgress["done"];
  readonly onDismiss: () => void;
}

/** Returns how far the lesson about breakpoints is; undefined if there is none. Only the sample application has it. */
export function useLesson(): Lesson | undefined {
  const { isSample, graph, info, settings, state } = useStudio();
  const { next, isNewest } = useShown();
  const [progress, setProgress] = useState(() => (isSample && graph === GRAPH ? keptProgress() : undefined));
  const isSet = settings.breakpoints.before.has(NODE);
  const isStill = isNewest && !state.isRunning && state.thread === "here";
  const after =
    progress &&
    lessonAfter(progress, {
      isSet,
      thread: state.threadId,
      isRunning: state.isRunning,
      isPaused: isStill && next.includes(NODE),
      hasPassed:
        isStill &&
        next.length === 0 &&
        [...(state.run?.nodes ?? [])].some((one) => one.node === NODE && one.status === "done"),
    });
  if (after !== progress) setProgress(after);
  useEffect(() => {
    if (progress) keepProgress(progress);
  }, [progress]);
  const done = progress?.done;
  useEffect(() => {
    if (done === 2) leaveField();
  }, [done]);
  if (done === undefined || !info.drawing?.nodes.some((one) => one.id === NODE)) return undefined;
  // On another thread, what the lesson paused cannot go on: the question is asked again there.
  const isElsewhere = done === 2 && progress?.thread !== state.threadId;
  return {
    done: isElsewhere ? (isSet ? 1 : 0) : done,
    onDismiss: () => {
      setProgress(undefined);
      keepProgress(undefined);
    },
  };
}

/** Moves the focus from the empty field of the sent message, where Space would be a blank, to the button "Continue". */
function leaveField(): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLTextAreaElement && focused.value === "") {
    document.querySelector<HTMLElement>("[data-continue]")?.focus();
  }
}

"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { checkpointIdOf } from "#lib/rules/threads/read-state.ts";
import { useStudio } from "./studio-context.ts";
import { useShown } from "./use-shown.ts";

/**
 * Moves through the thread's checkpoints in the order of time. The state at a checkpoint can be shown before the others are
 * read: steps that are asked for meanwhile are taken then, unless another thread is opened.
 */
export function useCheckpointSteps() {
  const { state, query, setQuery } = useStudio();
  const { checkpoint, isOpening } = useShown();
  const early = useRef({ thread: query.thread, steps: 0 });

  const move = (steps: number): void => {
    const at = state.history.findIndex((head) => checkpointIdOf(head.checkpoint) === checkpoint);
    if (at === -1) return;
    const index = Math.min(Math.max(at - steps, 0), state.history.length - 1);
    // The newest is shown without naming it, so that the page goes on with the thread.
    void setQuery({ checkpoint: index === 0 ? null : (checkpointIdOf(state.history[index]?.checkpoint) ?? null) });
  };
  const step = (by: 1 | -1): void => {
    if (!isOpening) return move(by);
    const asked = early.current.thread === query.thread ? early.current.steps : 0;
    early.current = { thread: query.thread, steps: asked + by };
  };
  const moveNow = useEffectEvent(() => {
    const { thread, steps } = early.current;
    early.current.steps = 0;
    if (thread === query.thread && steps !== 0) move(steps);
  });
  useEffect(() => {
    if (!isOpening) moveNow();
  }, [isOpening]);

  return { toPrevious: () => step(-1), toNext: () => step(1) };
}

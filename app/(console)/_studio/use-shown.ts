"use client";

import { useMemo } from "react";
import type { ListedThread } from "#lib/client/listed-threads.ts";
import { type StateHead } from "#lib/rules/studio/state-heads.ts";
import { checkpointIdOf } from "#lib/rules/threads/read-state.ts";
import type { TurnInterrupt } from "#lib/rules/threads/transcript.ts";
import { useStudio } from "./studio-context.ts";

/** A checkpoint names all questions of its tasks, also those that were answered since. The thread names the open ones. */
function openInterrupts(thread: Pick<ListedThread, "interrupts"> | undefined): readonly TurnInterrupt[] {
  const all = Object.values(thread?.interrupts ?? {}).flat();
  return all.map(({ id, value }, index) => ({ id: id ?? `interrupt.${index}`, value }));
}

/** The moment of the thread that the page shows. */
export interface Shown {
  /** The state at the shown checkpoint; absent while the thread has none, or before it was read. */
  readonly head?: StateHead;
  /** The id of the shown checkpoint. */
  readonly checkpoint?: string;
  readonly isNewest: boolean;
  /** The thread's checkpoints are being read. */
  readonly isOpening: boolean;
  /** The interrupts that can be answered now. */
  readonly interrupts: readonly TurnInterrupt[];
  /** Nodes that come next. */
  readonly next: readonly string[];
}

export function useShown(): Shown {
  const { state, query } = useStudio();
  const { history, isRunning, details } = state;
  const isOpening = query.thread !== null && (state.thread === "none" || state.thread === "loading");
  const wanted = query.checkpoint;
  return useMemo(() => {
    const head = wanted === null ? history[0] : history.find((one) => checkpointIdOf(one.checkpoint) === wanted);
    const isNewest = wanted === null || head === history[0];
    return {
      head,
      checkpoint: head ? checkpointIdOf(head.checkpoint) : (wanted ?? undefined),
      isNewest,
      isOpening,
      interrupts: head && isNewest && !isRunning ? openInterrupts(details) : [],
      next: head?.next ?? [],
    };
  }, [history, wanted, isOpening, isRunning, details]);
}

"use client";

import { useCallback, useEffect } from "react";
import type { ThreadSnapshot } from "#lib/client/threads.ts";
import { setNewest } from "#lib/rules/set-newest.ts";
import { checkpointIdOf } from "#lib/rules/threads/read-state.ts";
import { useReconnected } from "../_shell/use-reconnected.ts";
import { useRead } from "../_ui/use-read.ts";
import { useStudio } from "./studio-context.ts";

/** States that were read, by deployment, thread, checkpoint and extent. A checkpoint never changes. */
const known = new Map<string, ThreadSnapshot>();
const MOST_KNOWN = 30;

const NOT_READ: ThreadSnapshot | undefined = undefined;

/**
 * Reads the state at a checkpoint without its large values, or with `isWhole` all of it; undefined reads none. Until it
 * is read, `value` is the state that was asked for before, and `isCurrent` is false.
 */
export function useValues(checkpoint: string | undefined, isWhole = false) {
  const { studio, state, base } = useStudio();
  const { threadId } = state;
  const read = useCallback(async () => {
    if (threadId === undefined || checkpoint === undefined) return undefined;
    const key = `${base} ${threadId} ${checkpoint} ${isWhole}`;
    const found = known.get(key) ?? (await studio.api.values(threadId, checkpoint, isWhole));
    setNewest(known, key, found, MOST_KNOWN);
    return found;
  }, [studio, base, threadId, checkpoint, isWhole]);
  const { value, failure, refresh } = useRead<ThreadSnapshot | undefined>(read, NOT_READ);
  useEffect(() => void refresh(), [refresh]);
  useReconnected(() => {
    if (failure !== undefined) void refresh();
  });
  const isComplete = value !== undefined && !(isWhole && value.omitted);
  const isCurrent = isComplete && checkpointIdOf(value.checkpoint) === checkpoint;
  return { value, isCurrent, failure, retry: refresh };
}

"use client";

import { useCallback, useEffect } from "react";
import type { ThreadState } from "#lib/protocol/threads.ts";
import { checkpointIdOf } from "#lib/rules/threads/read-state.ts";
import { useReconnected } from "../_rooms/use-reconnected.ts";
import { useRead } from "../_ui/use-read.ts";
import { useStudio } from "./studio-context.ts";

/** States that were read, by deployment, thread and checkpoint. A checkpoint never changes. */
const known = new Map<string, ThreadState>();
const MOST_KNOWN = 30;

const NOT_READ: ThreadState | undefined = undefined;

/**
 * Reads the state at a checkpoint; undefined reads none. Until it is read, `value` is the state that was asked for before, and
 * `isCurrent` is false.
 */
export function useValues(checkpoint: string | undefined) {
  const { studio, state, base } = useStudio();
  const { threadId } = state;
  const read = useCallback(async () => {
    if (threadId === undefined || checkpoint === undefined) return undefined;
    const key = `${base} ${threadId} ${checkpoint}`;
    const found = known.get(key) ?? (await studio.api.state(threadId, checkpoint));
    known.delete(key);
    known.set(key, found);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
    return found;
  }, [studio, base, threadId, checkpoint]);
  const { value, failure, refresh } = useRead<ThreadState | undefined>(read, NOT_READ);
  useEffect(() => void refresh(), [refresh]);
  useReconnected(() => {
    if (failure !== undefined) void refresh();
  });
  const isCurrent = value !== undefined && checkpointIdOf(value.checkpoint) === checkpoint;
  return { value, isCurrent, failure, retry: refresh };
}

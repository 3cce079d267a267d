"use client";

import { useCallback, useRef } from "react";
import { useFollow } from "../_shell/live.tsx";

/** Calls the listener when threads have changed, and so perhaps tasks. Returns the function that unsubscribes. */
export type SubscribeToThreads = (listener: () => void) => () => void;

/** Shares the thread changes of a deployment among several parts of a page, which has one connection for all. */
export function useThreadChanges(deployment: string): SubscribeToThreads {
  const listeners = useRef(new Set<() => void>());
  useFollow({ deployment, threads: true }, { onThreads: () => listeners.current.forEach((listener) => listener()) });
  return useCallback((listener) => {
    const all = listeners.current.add(listener);
    return () => void all.delete(listener);
  }, []);
}

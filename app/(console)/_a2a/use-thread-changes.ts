"use client";

import { useCallback, useRef } from "react";
import { useFollow } from "../_shell/live.tsx";

/** Calls back when something has happened to threads, and so maybe to tasks; returns how to stop that. */
export type SubscribeToThreads = (listener: () => void) => () => void;

/** News of a deployment's threads for several parts of a page, which has one connection for all. */
export function useThreadChanges(deployment: string): SubscribeToThreads {
  const listeners = useRef(new Set<() => void>());
  useFollow({ deployment, threads: true }, { onThreads: () => listeners.current.forEach((listener) => listener()) });
  return useCallback((listener) => {
    const all = listeners.current.add(listener);
    return () => void all.delete(listener);
  }, []);
}

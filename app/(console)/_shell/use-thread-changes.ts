"use client";

import { useCallback, useState } from "react";
import { createEmitter } from "#lib/rules/emitter.ts";
import { useFollow } from "./live.tsx";

/** Calls the listener when threads have changed, and so perhaps tasks of A2A. Returns the function that unsubscribes. */
export type SubscribeToThreads = (listener: () => void) => () => void;

/** Shares the thread changes of a deployment among several parts of a page, which has one connection for all. */
export function useThreadChanges(deployment: string): SubscribeToThreads {
  const [changes] = useState(() => createEmitter());
  useFollow({ deployment, threads: true }, { onThreads: () => changes.emit() });
  return useCallback((listener) => changes.on(listener), [changes]);
}

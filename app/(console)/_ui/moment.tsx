"use client";

import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import { relativeTime } from "#lib/client/measures.ts";
import { useMounted } from "./use-mounted.ts";

const TICK_MS = 10_000;

const RenderTimeContext = createContext(0);

/** Returns the time at which the server rendered the page, in ms since the epoch. Hydration starts with it. */
export const useRenderTime = (): number => useContext(RenderTimeContext);

export function RenderTime({ now, children }: { now: number; children: ReactNode }) {
  return <RenderTimeContext value={now}>{children}</RenderTimeContext>;
}

/** The components that share one clock. It runs while there are any. */
const listeners = new Set<() => void>();
let clock = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  clock = Date.now();
  timer ??= setInterval(() => {
    clock = Date.now();
    for (const one of listeners) one();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Shows a relative time, kept up to date, with the exact time on hover. */
export function Moment({ at }: { at: string }) {
  const mounted = useMounted();
  const now = useRenderTime();
  const current = useSyncExternalStore(
    subscribe,
    () => Math.max(clock, now),
    () => now,
  );
  return (
    <time dateTime={at} title={mounted ? new Date(at).toLocaleString() : at} className="whitespace-nowrap">
      {relativeTime(Date.parse(at), current)}
    </time>
  );
}

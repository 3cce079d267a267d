"use client";

import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from "react";
import { relativeTime } from "#lib/client/measures.ts";
import { createClock } from "./clock.ts";

const RenderTimeContext = createContext(0);

/** Returns the time at which the server rendered the page, in ms since the epoch. Hydration starts with it. */
export const useRenderTime = (): number => useContext(RenderTimeContext);

export function RenderTime({ now, children }: { now: number; children: ReactNode }) {
  return <RenderTimeContext value={now}>{children}</RenderTimeContext>;
}

const clock = createClock(10_000);

/**
 * Shows a relative time, kept up to date, with the exact time on hover. That is written only then: the first time in a
 * local format takes the browser tens of ms.
 */
export function Moment({ at }: { at: string }) {
  // The clock may have ticked before a new time. It shows the time of now to those that subscribe.
  return <TickingMoment key={at} at={at} />;
}

function TickingMoment({ at }: { at: string }) {
  const [isPointedAt, setPointedAt] = useState(false);
  const now = useRenderTime();
  const current = useSyncExternalStore(
    clock.subscribe,
    () => Math.max(clock.now(), now),
    () => now,
  );
  return (
    <time
      dateTime={at}
      title={isPointedAt ? new Date(at).toLocaleString() : undefined}
      onPointerEnter={() => setPointedAt(true)}
      className="whitespace-nowrap"
    >
      {relativeTime(Date.parse(at), current)}
    </time>
  );
}

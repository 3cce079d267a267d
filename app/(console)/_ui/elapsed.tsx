"use client";

import { useSyncExternalStore } from "react";
import { elapsed } from "#lib/client/measures.ts";
import { createClock } from "./clock.ts";
import { useRenderTime } from "./moment.tsx";

const seconds = createClock(1_000);

/** Shows how long something has been going on. Only this text renders again, once a second. */
export function Elapsed({ since }: { /** ms since the epoch */ since: number }) {
  const rendered = useRenderTime();
  const now = useSyncExternalStore(
    seconds.subscribe,
    () => Math.max(seconds.now(), rendered),
    () => rendered,
  );
  return <span className="whitespace-nowrap tabular-nums">{elapsed(now - since)}</span>;
}

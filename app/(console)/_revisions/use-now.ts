"use client";

import { useEffect, useState } from "react";

/** Returns the time, updated ten times a second while `running`; otherwise the time of the server's rendering. */
export function useNow(initial: number, running: boolean): number {
  const [now, setNow] = useState(initial);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(initial, now);
}

"use client";

import { useEffect, useState } from "react";

/** The time, ten times a second while `running`; before that, and where nothing runs, what it was on the server. */
export function useNow(initial: number, running: boolean): number {
  const [now, setNow] = useState(initial);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(initial, now);
}

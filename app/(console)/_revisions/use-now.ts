"use client";

import { useEffect, useState } from "react";
import { useRenderTime } from "../_ui/moment.tsx";

/** Returns the time, updated ten times a second while `running`; otherwise the time of the server's rendering. */
export function useNow(running: boolean): number {
  const initial = useRenderTime();
  const [now, setNow] = useState(initial);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(initial, now);
}

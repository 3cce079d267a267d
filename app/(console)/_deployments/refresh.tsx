"use client";

import { useEffect } from "react";
import { useRefreshPage } from "../_shell/use-refresh-page.ts";

const INTERVAL_MS = 5000;

/** Refreshes the page at an interval while it is visible, for numbers whose changes send no events. */
export function Refresh() {
  const refresh = useRefreshPage();
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) refresh();
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, [refresh]);
  return null;
}

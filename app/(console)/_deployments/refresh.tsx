"use client";

import { useEffect, useRef } from "react";
import { useLive } from "../_shell/live.tsx";
import { useRefreshPage } from "../_shell/use-refresh-page.ts";

const INTERVAL_MS = 5000;

/**
 * Refreshes the page when the servers of a deployment change, and at an interval while it is visible, for numbers whose
 * changes send no events.
 */
export function Refresh({ deployment }: { deployment: string }) {
  const refresh = useRefreshPage();
  const { deployments } = useLive();
  const servers = JSON.stringify(deployments.find(({ name }) => name === deployment)?.servers);
  const last = useRef(servers);
  useEffect(() => {
    const isChanged = last.current !== undefined && last.current !== servers;
    last.current = servers;
    if (isChanged) refresh();
  }, [refresh, servers]);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) refresh();
    }, INTERVAL_MS);
    return () => clearInterval(timer);
  }, [refresh]);
  return null;
}

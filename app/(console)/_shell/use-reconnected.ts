"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { useLive } from "./live.tsx";

/**
 * Calls back when the page's connection is open again after it was lost, and when the state of a deployment has changed:
 * its worker starts later than the server.
 */
export function useReconnected(onBack: () => void): void {
  const { link, deployments } = useLive();
  const states = deployments.map(({ name, status }) => `${name} ${status}`).join("\n");
  const seen = useRef<string>(undefined);
  const call = useEffectEvent(onBack);
  useEffect(() => {
    if (link === "reconnecting") seen.current = "";
    if (link !== "live") return;
    const isChanged = seen.current !== undefined && seen.current !== states;
    seen.current = states;
    if (isChanged) call();
  }, [link, states]);
}

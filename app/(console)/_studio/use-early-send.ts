"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { useStudio } from "./studio-context.ts";

/**
 * Sends a message once the graph's schemas and the thread are read. One that was asked for before waits, unless it is changed
 * or another thread is opened meanwhile.
 */
export function useEarlySend(send: () => void) {
  const { info, state, query } = useStudio();
  const [asked, setAsked] = useState<{ thread: string | null }>();
  const isEarly = !info.isReady || state.thread === "loading";
  const isAsked = asked !== undefined && asked.thread === query.thread;
  const sendNow = useEffectEvent(() => {
    setAsked(undefined);
    send();
  });
  useEffect(() => {
    // A message that is sent waits no longer, and sending is what the effect is for.
    // oxlint-disable-next-line react/set-state-in-effect
    if (isAsked && !isEarly) sendNow();
  }, [isAsked, isEarly]);
  return {
    isEarly,
    isWaiting: isAsked && isEarly,
    ask: () => {
      if (isEarly) setAsked({ thread: query.thread });
      else send();
    },
    forget: () => setAsked(undefined),
  };
}

"use client";

import { useEffect, useState } from "react";
import type { ChatState } from "#lib/client/chat-state.ts";
import { preload } from "../_ui/lazy-part.ts";
import { loadAnswerParts } from "./exchange-view.tsx";

const LONGEST_WAIT_MS = 1000;

const isStored = (): boolean => new URLSearchParams(window.location.search).has("thread");
// The code is on its way while the page is hydrated.
preload(async () => isStored() && loadAnswerParts());

/**
 * Returns the state of a chat. That of a stored conversation is "loading" until the parts of its answers are loaded too,
 * so that nothing moves once it is shown. They are not waited for long.
 */
export function useWholeState(state: ChatState, isNew: boolean): ChatState {
  const [isReady, setReady] = useState(isNew);
  useEffect(() => {
    if (isReady) return;
    const timer = setTimeout(() => setReady(true), LONGEST_WAIT_MS);
    void loadAnswerParts().then(() => setReady(true));
    return () => clearTimeout(timer);
  }, [isReady]);
  return isReady || state.exchanges.length === 0 ? state : { ...state, exchanges: [], thread: "loading" };
}

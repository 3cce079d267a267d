"use client";

import { useEffect, useRef } from "react";
import type { createBranchReader } from "#lib/client/branches.ts";
import type { Chat } from "#lib/client/chat.ts";
import type { ChatState } from "#lib/client/chat-state.ts";

/** The pause before the branches of a thread are read the first time. The thread itself is shown before. */
const FIRST_PAUSE_MS = 150;

/** Reads the branches of the thread after it is shown, and again after every run and every change of the branch. */
export function useBranches(chat: Chat, { thread, running, exchanges, checkpoint }: ChatState): void {
  const reader = useRef<ReturnType<typeof createBranchReader>>(undefined);
  // Before the first run, there is nothing to read.
  const hasRun = exchanges.some(({ end }) => end?.how === "ended" || end?.how === "stopped");
  const count = exchanges.length;
  const isReady = thread === "here" && !running && hasRun;
  useEffect(() => {
    if (!isReady || count === 0) return;
    let isCurrent = true;
    const read = async (): Promise<void> => {
      const { createBranchReader } = await import("#lib/client/branches.ts");
      reader.current ??= createBranchReader(chat);
      if (isCurrent) await reader.current(checkpoint);
    };
    // Without the branches, everything else of the conversation works.
    const timer = setTimeout(() => void read().catch(() => undefined), reader.current ? 0 : FIRST_PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [chat, isReady, count, checkpoint]);
}

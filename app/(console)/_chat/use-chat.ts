"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { type Chat, type ChatState, createChat } from "@/lib/client/chat.ts";

const BEFORE: ChatState = { exchanges: [], running: false };

/** The conversation of this tab with one assistant. The caller is keyed by both, so neither changes. */
export function useChat(deployment: string, assistant: string): { chat: Chat; state: ChatState } {
  const [chat] = useState(() =>
    createChat(
      `/agents/${encodeURIComponent(deployment)}`,
      assistant,
      tabStorage(`graphlib.chat ${deployment} ${assistant}`),
    ),
  );
  const state = useSyncExternalStore(chat.subscribe, chat.state, () => BEFORE);
  useEffect(() => {
    chat.restore();
    window.addEventListener("pagehide", chat.save);
    return () => {
      window.removeEventListener("pagehide", chat.save);
      chat.stop();
    };
  }, [chat]);
  return { chat, state };
}

/** Storage may be full or forbidden; then the conversation lives as long as its page. */
function tabStorage(key: string) {
  return {
    read: (): string | null => {
      try {
        return sessionStorage.getItem(key);
      } catch {
        return null;
      }
    },
    write: (text: string): void => {
      try {
        sessionStorage.setItem(key, text);
      } catch {
        // As said above.
      }
    },
  };
}

"use client";

import { useEffect, useState, useSyncExternalStore } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { type Chat, type ChatSettings, createChat } from "#lib/client/chat.ts";
import type { ChatState } from "#lib/client/chat-state.ts";

type ChatOptions = Omit<ChatSettings, "base"> & { deployment: string };

/** Creates the chat of this page. The calling component is keyed by its thread, so the options never change. */
export function useChat({ deployment, ...options }: ChatOptions): { chat: Chat; state: ChatState } {
  const [chat] = useState(() => createChat({ ...options, base: apiBase(deployment) }));
  const state = useSyncExternalStore(chat.subscribe, chat.state, chat.state);
  const [isNew] = useState(options.isNew);
  useEffect(() => {
    if (!isNew) void chat.open();
    return chat.leave;
  }, [chat, isNew]);
  return { chat, state };
}

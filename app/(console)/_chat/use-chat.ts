"use client";

import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { apiBase } from "#lib/client/api-base.ts";
import { type Chat, createChat } from "#lib/client/chat.ts";
import type { ChatSettings } from "#lib/client/chat-session.ts";
import type { ChatState } from "#lib/client/chat-state.ts";
import { useReconnected } from "../_shell/use-reconnected.ts";
import type { SubscribeToThreads } from "../_shell/use-thread-changes.ts";
import { replaceQuery } from "../_ui/replace-query.ts";

interface ChatOptions extends Omit<ChatSettings, "base"> {
  readonly deployment: string;
  /** Tells of changes of threads. */
  readonly changes: SubscribeToThreads;
}

/** Creates the chat of this page. The calling component is keyed by its thread, so only the checkpoint ever changes. */
export function useChat({ deployment, changes, ...options }: ChatOptions): { chat: Chat; state: ChatState } {
  const { checkpoint } = options;
  const [chat] = useState(() => createChat({ ...options, base: apiBase(deployment) }));
  const state = useSyncExternalStore(chat.subscribe, chat.state, chat.state);
  const isOpened = useRef(options.isNew);
  // The address may change: a link names another checkpoint.
  useEffect(() => {
    if (isOpened.current && chat.state().checkpoint === checkpoint) return;
    isOpened.current = true;
    void chat.open(checkpoint);
  }, [chat, checkpoint]);
  useEffect(() => chat.leave, [chat]);
  useEffect(() => changes(() => void chat.lookAgain()), [chat, changes]);
  useReconnected(() => void chat.lookAgain());
  // The address names the checkpoint that is shown.
  useEffect(() => {
    const named = new URLSearchParams(window.location.search).get("checkpoint") ?? undefined;
    if (named !== state.checkpoint) replaceQuery({ checkpoint: state.checkpoint });
  }, [state.checkpoint]);
  return { chat, state };
}

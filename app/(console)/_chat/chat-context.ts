"use client";

import { createContext, useContext } from "react";
import type { Caller } from "../_auth/caller.ts";
import type { SubscribeToThreads } from "../_shell/use-thread-changes.ts";
import type { ChatAssistant, ChosenAssistant } from "./assistant.ts";

interface ChatContextValue {
  readonly deployment: string;
  /** The caller as which the page calls the deployment. */
  readonly caller: Caller;
  readonly assistant: ChosenAssistant;
  readonly assistants: readonly ChatAssistant[];
  /** The title of the open thread; left out before its first message. */
  readonly title?: string;
  /** Tells of changes of threads. */
  readonly changes: SubscribeToThreads;
  /** Returns the URL of a new thread, with the given assistant or else the current one. */
  readonly newChat: (assistant?: string) => string;
  /** Opens the drawer with the threads, on screens where they have no column. */
  readonly openList: () => void;
}

export const ChatContext = createContext<ChatContextValue | undefined>(undefined);

export function useChatContext(): ChatContextValue {
  const value = useContext(ChatContext);
  if (!value) throw new Error("used outside of a chat");
  return value;
}

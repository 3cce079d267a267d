"use client";

import { createContext, useContext } from "react";
import type { Caller } from "../_auth/caller.ts";
import type { ChatAssistant, ChosenAssistant } from "./assistant.ts";

interface ChatContextValue {
  readonly deployment: string;
  /** As whom the deployment is called. */
  readonly caller: Caller;
  readonly assistant: ChosenAssistant;
  readonly assistants: readonly ChatAssistant[];
  /** What the open conversation is called; absent before its first question. */
  readonly title?: string;
  /** Address of a new conversation, with another assistant where one is named. */
  readonly newChat: (assistant?: string) => string;
  /** Shows the list of conversations, where there is no room for it beside. */
  readonly openList: () => void;
}

export const ChatContext = createContext<ChatContextValue | undefined>(undefined);

export function useChatContext(): ChatContextValue {
  const value = useContext(ChatContext);
  if (!value) throw new Error("used outside of a chat");
  return value;
}

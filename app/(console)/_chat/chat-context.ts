"use client";

import { createContext, useContext } from "react";
import type { Caller } from "../_caller/caller.ts";
import type { ChatAssistant, ChosenAssistant } from "./assistant.ts";

interface ChatSurroundings {
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

export const ChatContext = createContext<ChatSurroundings | undefined>(undefined);

export function useSurroundings(): ChatSurroundings {
  const surroundings = useContext(ChatContext);
  if (!surroundings) throw new Error("used outside of a chat");
  return surroundings;
}

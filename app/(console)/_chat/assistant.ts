import type { JsonObject } from "@/lib/protocol/json.ts";

/** An assistant as the chat needs it. */
export interface ChatAssistant {
  /** What the API is told: the graph's name, or the id of an assistant that somebody made. */
  readonly id: string;
  readonly name: string;
  /** As threads know it. */
  readonly assistantId?: string;
  readonly description?: string;
  /** Why its graph cannot run, when it cannot. */
  readonly error?: string;
}

/** The one that is chatted with. */
export interface ChosenAssistant extends ChatAssistant {
  readonly starters: readonly string[];
  readonly takesMessages: boolean;
  readonly example: JsonObject;
}

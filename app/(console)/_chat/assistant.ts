import type { JsonObject } from "#lib/protocol/json.ts";

/** The fields of an assistant that the chat needs. */
export interface ChatAssistant {
  /** The `assistant_id` for requests: the graph's name, or the id of an assistant that a user created. */
  readonly id: string;
  readonly name: string;
  /** The id by which threads name the assistant. */
  readonly assistantId?: string;
  readonly description?: string;
  /** The error with which its graph failed to load. */
  readonly error?: string;
}

/** The assistant of the open chat. */
export interface ChosenAssistant extends ChatAssistant {
  readonly graph: string;
  readonly starters: readonly string[];
  readonly takesMessages: boolean;
  readonly example: JsonObject;
}

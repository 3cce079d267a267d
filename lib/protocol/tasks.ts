import type { Message } from "./a2a.ts";
import type { JsonObject } from "./json.ts";

/** What is stored of an A2A task; its state, artifacts and replies are folded from the events of its runs. */
export interface StoredTask {
  task_id: string;
  assistant_id: string;
  /** As the client wrote it, or a new UUID. */
  context_id: string;
  /** In order; a task that is resumed after an interrupt has more than one. */
  run_ids: string[];
  /** One id for the reply through all its chunks. */
  artifact_id: string;
  /** The messages that people sent, oldest first. */
  history: Message[];
  metadata: JsonObject;
  /** ISO 8601 in UTC with Z. */
  created_at: string;
}

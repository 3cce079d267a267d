import type { Message, TaskState } from "./a2a.ts";
import type { JsonObject } from "./json.ts";

/** The stored part of an A2A task. Its artifacts and replies are folded from the events of its runs. */
export interface StoredTask {
  task_id: string;
  assistant_id: string;
  /** Id of the context that the client chose, or a new UUID. */
  context_id: string;
  /** Thread of all runs of the context. */
  thread_id: string;
  /** Runs in order. A task that was resumed after an interrupt has more than one. */
  run_ids: string[];
  /** Id of the artifact that contains the reply, the same for all chunks. */
  artifact_id: string;
  /** Messages of the user, the oldest first: one for each run. */
  history: Message[];
  metadata: JsonObject;
  /** Time in ISO 8601, in UTC with Z. */
  created_at: string;
  state: TaskState;
  /** Time since which it has been in this state. */
  status_at: string;
}

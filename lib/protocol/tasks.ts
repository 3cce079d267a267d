import type { Message, TaskState } from "./a2a.ts";
import type { JsonObject } from "./json.ts";

/** What is stored of an A2A task; its artifacts and replies are folded from the events of its runs. */
export interface StoredTask {
  task_id: string;
  assistant_id: string;
  /** As the client wrote it, or a new UUID. */
  context_id: string;
  /** What the runs of the context go on from. */
  thread_id: string;
  /** In order; a task that is resumed after an interrupt has more than one. */
  run_ids: string[];
  /** One id for the reply through all its chunks. */
  artifact_id: string;
  /** The messages that people sent, oldest first: one for each run. */
  history: Message[];
  metadata: JsonObject;
  /** ISO 8601 in UTC with Z. */
  created_at: string;
  state: TaskState;
  /** Since when it is in this state. */
  status_at: string;
}

/** The tables of one deployment's database. JSON columns hold text; times are ms since the epoch unless they end in `_at`. */
import type { MultitaskStrategy, RunStatus } from "../../protocol/runs.ts";

export interface RunsTable {
  run_id: string;
  thread_id: string;
  assistant_id: string;
  graph_id: string;
  status: RunStatus;
  metadata: string;
  kwargs: string;
  multitask_strategy: MultitaskStrategy;
  created_at: string;
  updated_at: string;
  due: number;
  ended: number | null;
  token: number;
  last_event: number;
  error: string | null;
  keep: number;
}

/** One row a batch: events are written many at a time and read in order. */
export interface RunEventsTable {
  run_id: string;
  first_event: number;
  last_event: number;
  /** `encodeBatch`. */
  lines: string;
}

export interface AssistantsTable {
  assistant_id: string;
  graph_id: string;
  name: string;
  description: string | null;
  config: string;
  context: string;
  metadata: string;
  version: number;
  created_at: string;
  updated_at: string;
}

export interface TasksTable {
  task_id: string;
  assistant_id: string;
  context_id: string;
  run_ids: string;
  artifact_id: string;
  history: string;
  metadata: string;
  created_at: string;
}

export interface Tables {
  runs: RunsTable;
  run_events: RunEventsTable;
  assistants: AssistantsTable;
  tasks: TasksTable;
}

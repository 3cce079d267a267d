/** The tables of one deployment's database. JSON columns hold text; times are ms since the epoch unless they end in `_at`. */
import type { Generated } from "kysely";
import type { Dialect, TaskState } from "../../protocol/a2a.ts";
import type { OnRunCompleted } from "../../protocol/crons.ts";
import type { LetterKind, LetterState } from "../../protocol/push-deliveries.ts";
import type { MultitaskStrategy, RunStatus } from "../../protocol/runs.ts";
import type { ThreadStatus } from "../../protocol/threads.ts";

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
  /** 1 when `thread_id` is a row of `threads`, whose state the run changes. */
  threaded: number;
  /** 1 when the run is to vanish, with what it did to its thread, once it has ended; 2 when it is only to end. */
  rollback: number;
  /** Of the run's first event within its thread; null before the first claim. */
  position: number | null;
}

export interface ThreadsTable {
  thread_id: string;
  metadata: string;
  config: string;
  status: ThreadStatus;
  values: string | null;
  interrupts: string;
  /** 1 when nodes come next: the thread waits for a person. */
  waiting: number;
  error: string | null;
  /** Of the event that the next run of the thread begins with. */
  position: number;
  created_at: string;
  updated_at: string;
  state_updated_at: string;
  /** Minutes, and what happens then. */
  ttl: number | null;
  ttl_strategy: string | null;
  expires: number | null;
}

/** One row a member of a thread's metadata. */
export interface ThreadLabelsTable {
  /** `labelHash`. */
  label: Uint8Array;
  created_at: string;
  thread_id: string;
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
  /** Highest number that any of its versions ever had. */
  newest_version: Generated<number>;
  created_at: string;
  updated_at: string;
}

export type AssistantVersionsTable = Omit<AssistantsTable, "newest_version" | "updated_at">;

export interface TasksTable {
  task_id: string;
  assistant_id: string;
  context_id: string;
  run_ids: string;
  artifact_id: string;
  history: string;
  metadata: string;
  created_at: string;
  thread_id: string;
  /** The newest of `run_ids`. */
  run_id: string;
  state: TaskState;
  status_at: string;
  heard: string | null;
}

/** What belongs to a place: a thread, and in it a graph (`checkpoint_ns`). */
interface OfPlace {
  thread_id: string;
  ns: string;
  /** Who wrote it, so that it can be taken back. */
  run_id: string;
}

export interface CheckpointsTable extends OfPlace {
  checkpoint_id: string;
  parent_id: string | null;
  checkpoint: string;
  metadata: string;
}

/** A value whole (`base` is null), or the end of a list that begins as the one of version `base`. */
export interface CheckpointValuesTable extends OfPlace {
  channel: string;
  version: string;
  base: string | null;
  keep: number;
  /** What has to be read beyond the last whole value, and that value itself; in characters. */
  since_whole: number;
  whole: number;
  /** `list` (`data` has one JSON text a line), else as the serializer names it. */
  type: string;
  data: string;
}

export interface CheckpointWritesTable extends OfPlace {
  checkpoint_id: string;
  task_id: string;
  idx: number;
  /** Empty for what counts; else the run that wrote something else in this place. */
  replaced_by: string;
  channel: string;
  type: string;
  data: string;
}

export interface StoreItemsTable {
  /** Time-ordered. */
  item_id: string;
  /** Labels joined by periods, which none of them holds. */
  namespace: string;
  key: string;
  value: string;
  ttl: number | null;
  expires: number | null;
  created_at: string;
  updated_at: string;
}

export interface StoreVectorsTable {
  item_id: string;
  /** Place of the text in the value. */
  path: string;
  /** Of length 1, as `encodeVector` writes it. */
  vector: Uint8Array;
}

export interface CronsTable {
  cron_id: string;
  assistant_id: string;
  /** Null when every firing makes a thread, which goes or stays as `on_run_completed` says. */
  thread_id: string | null;
  schedule: string;
  timezone: string | null;
  end_time: string | null;
  enabled: number;
  on_run_completed: OnRunCompleted | null;
  payload: string;
  metadata: string;
  user_id: string | null;
  /** JSON of who made it. */
  auth_user: string | null;
  next_run: number | null;
  created_at: string;
  updated_at: string;
}

/** One row a run whose end has not been taken yet. */
export interface WebhooksTable {
  run_id: string;
  url: string;
  /** `receiverOf` the address. */
  host: string;
  body: string;
  ended: number;
  due: number;
  /** Tries so far. */
  attempt: number;
}

export interface TaskPushesTable {
  task_id: string;
  config_id: string;
  host: string;
  /** Address and what is shown there, sealed. */
  sealed: string;
  dialect: Dialect;
  created_at: string;
}

/** One row a thing to post; those that are done stay a while, to be looked at. */
export interface PushLettersTable {
  letter_id: string;
  task_id: string;
  config_id: string;
  seq: number;
  kind: LetterKind;
  host: string;
  body: string;
  content_type: string;
  created: number;
  due: number;
  /** Tries so far. */
  attempt: number;
  state: LetterState;
  /** When it was delivered or given up. */
  settled: number | null;
  /** What the last try came to. */
  status: number | null;
  why: string | null;
}

export interface Tables {
  threads: ThreadsTable;
  thread_labels: ThreadLabelsTable;
  runs: RunsTable;
  run_events: RunEventsTable;
  assistants: AssistantsTable;
  assistant_versions: AssistantVersionsTable;
  tasks: TasksTable;
  checkpoints: CheckpointsTable;
  checkpoint_values: CheckpointValuesTable;
  checkpoint_writes: CheckpointWritesTable;
  store_items: StoreItemsTable;
  store_vectors: StoreVectorsTable;
  crons: CronsTable;
  webhooks: WebhooksTable;
  task_pushes: TaskPushesTable;
  push_letters: PushLettersTable;
}

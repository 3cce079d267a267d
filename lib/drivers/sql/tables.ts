/** The tables of a deployment's database. JSON columns hold text; times are ms since the epoch, ISO 8601 in `*_at`. */
import type { Generated, Kysely } from "kysely";
import type { Dialect, TaskState } from "../../protocol/a2a.ts";
import type { OnRunCompleted } from "../../protocol/crons.ts";
import type { NotificationKind, DeliveryState } from "../../protocol/push-deliveries.ts";
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
  /** `ROLLBACK` (1): the run and its effects on the thread are deleted once it ends. `CANCELLED` (2): it only ends. */
  rollback: number;
  /** Position of the run's first event within its thread; null before the first claim. */
  position: number | null;
}

export interface ThreadsTable {
  thread_id: string;
  metadata: string;
  config: string;
  status: ThreadStatus;
  values: string | null;
  interrupts: string;
  /** 1 when nodes would come next: the thread waits for a person. */
  waiting: number;
  error: string | null;
  /** Position of the first event of the thread's next run. */
  position: number;
  created_at: string;
  updated_at: string;
  state_updated_at: string;
  /** Time to live in minutes. */
  ttl: number | null;
  /** Action when the thread expires: `delete` or `keep_latest`. */
  ttl_strategy: string | null;
  expires: number | null;
}

/** One row for each member of a thread's metadata. */
export interface ThreadLabelsTable {
  /** Result of `labelHash`. */
  label: Uint8Array;
  created_at: string;
  thread_id: string;
}

/** One row for each batch: events are written many at a time and read in order. */
export interface RunEventsTable {
  run_id: string;
  first_event: number;
  last_event: number;
  /** Result of `encodeBatch`. */
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
  /** The highest number that any of its versions ever had. */
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
  /** JSON of the state folded from the task's events when it last came to rest; see `TaskRecord`. */
  heard: string | null;
}

/** The columns that all checkpoint tables share. */
interface CheckpointColumns {
  thread_id: string;
  /** Namespace of a graph within the thread (`checkpoint_ns`). */
  ns: string;
  /** The run that wrote the row, so that a rollback can delete it. */
  run_id: string;
}

export interface CheckpointsTable extends CheckpointColumns {
  checkpoint_id: string;
  parent_id: string | null;
  checkpoint: string;
  metadata: string;
}

/** A whole value (`base` is null), or the end of a list that begins like the list of version `base`. */
export interface CheckpointValuesTable extends CheckpointColumns {
  channel: string;
  version: string;
  base: string | null;
  keep: number;
  /** Size in characters of the parts that follow the last whole value. */
  since_whole: number;
  /** Size in characters of the last whole value. */
  whole: number;
  /** `list` (`data` has one JSON text per line), else the serializer's name of the type. */
  type: string;
  data: string;
}

export interface CheckpointWritesTable extends CheckpointColumns {
  checkpoint_id: string;
  task_id: string;
  idx: number;
  /** Empty for the current write; else the run that replaced it. */
  replaced_by: string;
  channel: string;
  type: string;
  data: string;
}

export interface StoreItemsTable {
  /** Time-ordered id. */
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
  /** Path of the text in the item's value. */
  path: string;
  /** Unit vector as `encodeVector` writes it. */
  vector: Uint8Array;
}

export interface CronsTable {
  cron_id: string;
  assistant_id: string;
  /** Null when every firing creates a thread, which `on_run_completed` keeps or deletes. */
  thread_id: string | null;
  schedule: string;
  timezone: string | null;
  end_time: string | null;
  enabled: number;
  on_run_completed: OnRunCompleted | null;
  payload: string;
  metadata: string;
  user_id: string | null;
  /** JSON of the user who created it. */
  auth_user: string | null;
  next_run: number | null;
  created_at: string;
  updated_at: string;
}

/** One row for each ended run whose webhook has not been delivered yet. */
export interface WebhooksTable {
  run_id: string;
  url: string;
  /** Result of `receiverOf` for the URL. */
  host: string;
  body: string;
  ended: number;
  due: number;
  /** The number of attempts so far. */
  attempt: number;
}

export interface TaskPushesTable {
  task_id: string;
  config_id: string;
  host: string;
  /** Sealed address and credentials. */
  sealed: string;
  dialect: Dialect;
  created_at: string;
}

/** One row for each push notification. Rows of finished ones are kept for a while, for inspection. */
export interface PushLettersTable {
  letter_id: string;
  task_id: string;
  config_id: string;
  seq: number;
  kind: NotificationKind;
  host: string;
  body: string;
  content_type: string;
  created: number;
  due: number;
  /** The number of attempts so far. */
  attempt: number;
  state: DeliveryState;
  /** The time when it was delivered or given up. */
  settled: number | null;
  /** HTTP status of the last attempt. */
  status: number | null;
  /** The reason why the last attempt failed. */
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

/** A deployment's database, or a transaction in it. */
export type Db = Kysely<Tables>;

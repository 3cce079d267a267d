/** The tables of a deployment's database. JSON columns hold text; times are ms since the epoch, ISO 8601 in `*_at`. */
import type { Generated, Kysely } from "kysely";
import type { StoredCron } from "../../engine/ports/crons.ts";
import type { StoredRun } from "../../engine/ports/ports.ts";
import type { PushNotification, StoredPushConfig } from "../../engine/ports/pushes.ts";
import type { WebhookDelivery } from "../../engine/ports/webhooks.ts";
import type { Assistant } from "../../protocol/assistants.ts";
import type { OnRunCompleted } from "../../protocol/crons.ts";
import type { PushDelivery } from "../../protocol/push-deliveries.ts";
import type { StoredTask } from "../../protocol/tasks.ts";
import type { Thread } from "../../protocol/threads.ts";
import type { JsonRow } from "./json-column.ts";

export interface RunsTable extends Omit<
  JsonRow<StoredRun, "metadata" | "kwargs">,
  "error" | "keep" | "threaded" | "rollback" | "cancelled" | "position" | "ended_at"
> {
  due: number;
  ended: number | null;
  error: string | null;
  keep: number;
  /** 1 when `thread_id` is a row of `threads`, whose state the run changes. */
  threaded: number;
  /** `ROLLBACK` (1): the run and its effects on the thread are deleted once it ends. `CANCELLED` (2): it only ends. */
  rollback: number;
  /** Position of the run's first event within its thread; null before the first claim. */
  position: number | null;
}

export interface ThreadsTable extends Omit<
  JsonRow<Thread, "metadata" | "config" | "interrupts">,
  "values" | "error" | "ttl" | "waiting"
> {
  values: string | null;
  /** One of `WAITING`. */
  waiting: number;
  error: string | null;
  /** Position of the first event of the thread's next run. */
  position: number;
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

export interface AssistantsTable extends JsonRow<Assistant, "config" | "context" | "metadata"> {
  /** The highest number that any of its versions ever had. */
  newest_version: Generated<number>;
}

export type AssistantVersionsTable = Omit<AssistantsTable, "newest_version" | "updated_at">;

export interface TasksTable extends JsonRow<StoredTask, "run_ids" | "history" | "metadata"> {
  /** The newest of `run_ids`. */
  run_id: string;
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

export interface CronsTable extends Omit<
  JsonRow<StoredCron, "payload" | "metadata">,
  "enabled" | "on_run_completed" | "user" | "next_run_date"
> {
  enabled: number;
  on_run_completed: OnRunCompleted | null;
  /** JSON of the user who created it. */
  auth_user: string | null;
  next_run: number | null;
}

/** One row for each ended run whose webhook has not been delivered yet. */
export interface WebhooksTable extends WebhookDelivery {
  /** Result of `receiverOf` for the URL. */
  host: string;
  due: number;
}

/** One row for each push notification. Rows of finished ones are kept for a while, for inspection. */
export interface PushLettersTable extends PushNotification, Pick<PushDelivery, "state" | "attempt" | "status" | "why"> {
  due: number;
  /** The time when it was delivered or given up. */
  settled: number | null;
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
  task_pushes: StoredPushConfig;
  push_letters: PushLettersTable;
}

/** A deployment's database, or a transaction in it. */
export type Db = Kysely<Tables>;

/** What push notifications of A2A tasks need of the world. */
import type { Dialect } from "../../protocol/a2a.ts";
import type { NotificationKind, PushDelivery } from "../../protocol/push-deliveries.ts";
import type { Outgoing } from "./webhooks.ts";

/** Where a task's changes are posted. */
export interface StoredPushConfig {
  task_id: string;
  config_id: string;
  /** Of the address, for people. */
  host: string;
  /** `PushSecrets` as JSON, sealed. */
  sealed: string;
  /** Of the request that registered it. */
  dialect: Dialect;
  /** ISO 8601. */
  created_at: string;
}

/** Configurations of tasks. They go with their task. */
export interface PushConfigStore {
  /**
   * In place of the one of the same id, which keeps its time. `full` when the task has `limit` others, `missing` when
   * there is no such task.
   */
  put(push: StoredPushConfig, limit: number): Promise<"stored" | "full" | "missing">;
  /** Oldest first. */
  list(taskId: string): Promise<StoredPushConfig[]>;
  /** What waits to be posted there is given up. */
  delete(taskId: string, configId: string, now: number): Promise<void>;
}

/** One thing to post. */
export interface PushNotification {
  /** The same each time that the same thing is to be told to the same configuration. */
  letter_id: string;
  task_id: string;
  config_id: string;
  /** Letters of a configuration go out in this order, each when the one before is done. */
  seq: number;
  kind: NotificationKind;
  host: string;
  body: string;
  content_type: string;
  /** In ms since the epoch. */
  created: number;
}

/** A letter that somebody has taken to post it. */
export interface ClaimedNotification extends Pick<
  PushNotification,
  "letter_id" | "task_id" | "host" | "body" | "content_type"
> {
  /** 1 for the first try. */
  attempt: number;
  /** Of its configuration as it is now. */
  sealed: string;
}

/** What a try came to; the receiver's answer, if it gave one, and why it was no success. */
export type DeliveryOutcome = { status?: number; why?: string } & (
  | { state: "waiting"; due: number }
  | { state: "delivered" | "given_up"; settled: number }
);

export interface NotificationFilter {
  assistantId?: string;
  taskId?: string;
  limit: number;
}

/** Letters come into being with the change they tell of (`TaskChange.letters`). */
export interface NotificationStore {
  /**
   * Takes some that are due, in one statement, and none that goes to a `busy` host or whose configuration has an earlier
   * one waiting; they are due again at `until` unless somebody says otherwise before.
   */
  claim(limit: number, now: number, until: number, busy?: readonly string[]): Promise<ClaimedNotification[]>;
  /** Changes nothing when somebody else has taken it since, or it is done. */
  settle(notification: Pick<ClaimedNotification, "letter_id" | "attempt">, outcome: DeliveryOutcome): Promise<void>;
  /** When the next one that could be taken is due, in ms since the epoch. */
  nextDue(busy?: readonly string[]): Promise<number | undefined>;
  /** Newest first. */
  list(filter: NotificationFilter): Promise<PushDelivery[]>;
  /** Deletes what was done before a time, and what is done beyond the newest `keep`. */
  sweep(doneBefore: number, keep: number): Promise<void>;
}

/** What a deployment has to tell A2A clients of their tasks. */
export interface PushPorts {
  readonly pushConfigs: PushConfigStore;
  readonly notifications: NotificationStore;
  /** Clients may name addresses: the application wants that, and the server's operator allows it. */
  readonly pushEnabled: boolean;
  /** For addresses of A2A clients: no paths, https where it matters, and nothing of the application's goes along. */
  readonly pushOutgoing: Outgoing;
  /** Says that there may be something to post. */
  pushDue(): void;
}

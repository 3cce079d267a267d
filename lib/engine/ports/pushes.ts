/** Ports of push notifications about A2A tasks. */
import type { Dialect } from "../../protocol/a2a.ts";
import type { NotificationKind, PushDelivery } from "../../protocol/push-deliveries.ts";
import type { Outgoing } from "./webhooks.ts";

/** A push notification configuration of a task, as it is stored. */
export interface StoredPushConfig {
  task_id: string;
  config_id: string;
  /** Host of the address, for people. */
  host: string;
  /** `PushSecrets` as JSON, sealed. */
  sealed: string;
  /** Dialect of the request that registered it. */
  dialect: Dialect;
  /** ISO 8601. */
  created_at: string;
}

/** Push configurations of tasks. They are deleted with their task. Implemented in lib/drivers/sql/task-pushes.ts. */
export interface PushConfigStore {
  /**
   * Stores a configuration, or replaces the one of the same id, which keeps its time. `full`: the task has `limit`
   * others; `missing`: there is no such task.
   */
  put(push: StoredPushConfig, limit: number): Promise<"stored" | "full" | "missing">;
  /** Oldest first. */
  list(taskId: string): Promise<StoredPushConfig[]>;
  /** Deletes a configuration, and gives up its waiting notifications. */
  delete(taskId: string, configId: string, now: number): Promise<void>;
}

/** A notification for one configuration. */
export interface PushNotification {
  /** The same id for the same moment of the task and the same configuration. */
  letter_id: string;
  task_id: string;
  config_id: string;
  /** The order of a configuration's notifications. Each is posted when the one before is settled. */
  seq: number;
  kind: NotificationKind;
  host: string;
  body: string;
  content_type: string;
  /** Milliseconds since the epoch. */
  created: number;
}

/** A notification that was claimed for an attempt. */
export interface ClaimedNotification extends Pick<
  PushNotification,
  "letter_id" | "task_id" | "host" | "body" | "content_type"
> {
  /** 1 for the first attempt. */
  attempt: number;
  /** Secrets of its configuration, as it is now. */
  sealed: string;
}

/** The outcome of an attempt: the receiver's status, if it answered, and the reason of a failure. */
export type DeliveryOutcome = { status?: number; why?: string } & (
  | { state: "waiting"; due: number }
  | { state: "delivered" | "given_up"; settled: number }
);

export interface NotificationFilter {
  assistantId?: string;
  taskId?: string;
  limit: number;
}

/**
 * Notifications. They are inserted with the change that they report (`TaskChange.notifications`).
 * Implemented in lib/drivers/sql/push-notifications.ts.
 */
export interface NotificationStore {
  /**
   * Claims notifications that are due, in one statement. Excluded are `busy` hosts, and configurations with an earlier
   * notification that waits. Claimed ones are due again at `until` unless they are settled before.
   */
  claim(limit: number, now: number, until: number, busy?: readonly string[]): Promise<ClaimedNotification[]>;
  /** Stores an outcome. It changes nothing when the notification was claimed again or is settled. */
  settle(notification: Pick<ClaimedNotification, "letter_id" | "attempt">, outcome: DeliveryOutcome): Promise<void>;
  /** Returns when the next claim is possible, in ms since the epoch. */
  nextDue(busy?: readonly string[]): Promise<number | undefined>;
  /** Newest first. */
  list(filter: NotificationFilter): Promise<PushDelivery[]>;
  /** Deletes notifications that were settled before a time, and settled ones beyond the newest `keep`. */
  sweep(doneBefore: number, keep: number): Promise<void>;
}

/** Ports of a deployment for push notifications. */
export interface PushPorts {
  readonly pushConfigs: PushConfigStore;
  readonly notifications: NotificationStore;
  /** Clients may register addresses: the application enables it, and the operator of the server allows it. */
  readonly pushEnabled: boolean;
  /** Posts to addresses of A2A clients: no paths, https where required, and none of the application's headers. */
  readonly pushOutgoing: Outgoing;
  /** Wakes the push loop. */
  pushDue(): void;
}

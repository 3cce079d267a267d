/** Ports of A2A tasks. */
import type { Dialect, Message, TaskState, TaskUpdate } from "../../protocol/a2a.ts";
import type { Run } from "../../protocol/runs.ts";
import type { StoredTask } from "../../protocol/tasks.ts";
import type { TaskProgress } from "../../rules/a2a/task-fold.ts";
import type { Visibility } from "../../rules/visibility.ts";
import type { PushNotification, StoredPushConfig } from "./pushes.ts";

/** A task as it is stored, with its progress when it last came to rest. */
export interface TaskRecord extends StoredTask {
  progress?: TaskProgress;
}

/** The task of a run, written in one transaction with it. */
export type TaskOfRun = (
  | { begins: StoredTask }
  /** The run resumes the task. Nothing is stored if the task does not wait for a person. */
  | { resumes: string; with: Message; at: string }
) & {
  /** A push configuration, stored with the run so that no notification is missed. */
  push?: StoredPushConfig;
};

/** A run that may belong to a task. */
export type RunOfTask = Pick<Run, "run_id" | "thread_id" | "trigger">;

export interface TaskFilter {
  assistantId: string;
  contextId?: string;
  state?: TaskState;
  /** Tasks whose status is not older than this (ISO 8601). */
  since?: string;
  /** Tasks whose thread is visible. */
  visible?: Visibility;
}

/** The last task of a page; the next page begins after it. */
export type TaskCursor = Pick<StoredTask, "status_at" | "task_id">;

export interface TaskChange {
  /** The states in which the task may be now. */
  from: readonly [TaskState, TaskState?];
  /** The task's newest run. */
  run: string;
  state: TaskState;
  at: string;
  progress?: TaskProgress;
  /** Makes the notifications that are stored with the change; called only when the task has push configurations. */
  notifications?: (pushes: readonly StoredPushConfig[]) => readonly PushNotification[];
}

/** Implemented in lib/drivers/sql/tasks.ts. */
export interface TaskStore {
  get(taskId: string): Promise<TaskRecord | undefined>;
  /** Lists tasks, newest status first, with their total number. */
  list(
    filter: TaskFilter,
    page: { after?: TaskCursor; limit: number },
  ): Promise<{ tasks: TaskRecord[]; total: number }>;
  /** Lists tasks that have not come to rest. */
  active(): Promise<TaskRecord[]>;
  /** Returns the task whose newest run this is, if it has not come to rest. */
  ofRun(run: RunOfTask): Promise<TaskRecord | undefined>;
  /** Lists at most two tasks of this thread that wait for a person. */
  waiting(threadId: string): Promise<TaskRecord[]>;
  /** Changes a task in one statement. Returns false when it was in another state, or has another newest run. */
  change(taskId: string, change: TaskChange): Promise<boolean>;
}

export interface FeedStart {
  /** The task at the start of the listener. */
  readonly first: TaskUpdate;
  /** Number of the next update. */
  readonly next: number;
}

/** The updates of one task: the same for all listeners, in the same order. */
export interface TaskFeed {
  readonly task: TaskRecord;
  /** Returns the current progress. */
  progress(): TaskProgress;
  /** Starts a listener at the beginning of the run, or now. */
  listen(from: "beginning" | "now", historyLength?: number): FeedStart;
  /** Starts a listener that has received all of an earlier feed of this task. */
  continueFrom(before: TaskFeed): Partial<FeedStart> & Pick<FeedStart, "next">;
  /**
   * Returns the updates from `next` on, as JSON in one dialect; `over` when there will be no more. For a listener that
   * `stays`, a question is not marked as the last update.
   */
  read(next: number, dialect: Dialect, stays?: boolean): { updates: readonly string[]; next: number; over: boolean };
  /** Resolves when there is an update from `next` on, when the feed is over, or on abort. */
  changed(next: number, signal?: AbortSignal): Promise<void>;
  /** Resolves when the task has come to rest and that is stored, or on abort. */
  rested(signal?: AbortSignal): Promise<void>;
}

/** A subscription to a task that outlives its runs. */
export interface TaskSubscription {
  /**
   * Resolves with the feed after this one: that of the task's next run, or one with the task's end. Undefined on abort,
   * and when this process stops.
   */
  nextFeed(feed: TaskFeed, signal?: AbortSignal): Promise<TaskFeed | undefined>;
  close(): void;
}

export interface TaskFeeds {
  /** Returns the feed of a task that is under way, and starts it if there is none. */
  open(task: TaskRecord): TaskFeed;
  find(task: TaskRecord): TaskFeed | undefined;
  /** Follows the task of a run that this server executes for another one. There may be none. */
  openOf(run: RunOfTask): void;
  /** Makes the feed of a task that waits for a person: it has the current state and no updates. */
  atRest(task: TaskRecord, progress: TaskProgress): TaskFeed;
  /**
   * Subscribes to a task, which is read afterwards to miss no update. Faults: `unavailable` when there are too many.
   */
  subscribe(task: TaskRecord): TaskSubscription;
  isSubscribed(taskId: string): boolean;
  /** Brings the subscribers of a task what another server has done with it: its next run, or its end while it waited. */
  refresh(taskId: string): void;
  /** Notifies subscribers that a task ended while it waited for a person. */
  publishEnd(taskId: string, progress: TaskProgress): void;
  /** Notifies subscribers that the tasks of a thread or an assistant were deleted. */
  publishDeleted(of: { thread_id: string; assistant_id?: never } | { assistant_id: string; thread_id?: never }): void;
  /** Follows the tasks that were under way when the last process died. */
  recover(): Promise<void>;
  stop(): Promise<void>;
}

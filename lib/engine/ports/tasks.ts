/** What A2A tasks need of the world. */
import type { Dialect, Message, TaskState, TaskUpdate } from "../../protocol/a2a.ts";
import type { StoredTask } from "../../protocol/tasks.ts";
import type { TaskProgress } from "../../rules/a2a/task-fold.ts";
import type { Visibility } from "../../rules/visibility.ts";
import type { PushNotification, StoredPushConfig } from "./pushes.ts";

/** A task, and what was heard of it by the time it last came to rest. */
export interface TaskRecord extends StoredTask {
  progress?: TaskProgress;
}

/** What a run that is stored is for: written in one transaction with it. */
export type TaskOfRun = (
  | { begins: StoredTask }
  /** The task goes on with this run, if it still waits for a person; else nothing is stored. */
  | { resumes: string; with: Message; at: string }
) & {
  /** Who is to be told of what comes: with the run, so that nothing of it is missed. */
  push?: StoredPushConfig;
};

export interface TaskFilter {
  assistantId: string;
  contextId?: string;
  state?: TaskState;
  /** ISO 8601: status as new, or newer. */
  since?: string;
  /** Where its thread is visible. */
  visible?: Visibility;
}

/** Where a page ends; the next begins after it. */
export type TaskCursor = Pick<StoredTask, "status_at" | "task_id">;

export interface TaskChange {
  /** It is in one of these states now. */
  from: readonly [TaskState, TaskState?];
  /** Its newest run. */
  run: string;
  state: TaskState;
  at: string;
  progress?: TaskProgress;
  /** What tells of the change, stored with it. Asked for only where somebody is to be told. */
  notifications?: (pushes: readonly StoredPushConfig[]) => readonly PushNotification[];
}

export interface TaskStore {
  get(taskId: string): Promise<TaskRecord | undefined>;
  /** Newest status first, and how many there are in all. */
  list(
    filter: TaskFilter,
    page: { after?: TaskCursor; limit: number },
  ): Promise<{ tasks: TaskRecord[]; total: number }>;
  /** Tasks that have not come to rest. */
  active(): Promise<TaskRecord[]>;
  /** Tasks of this thread that wait for a person, two at most. */
  waiting(threadId: string): Promise<TaskRecord[]>;
  /** In one statement; false when it was in another state, or has gone on with another run. */
  change(taskId: string, change: TaskChange): Promise<boolean>;
}

export interface FeedStart {
  /** As it stood where the listener began. */
  readonly first: TaskUpdate;
  /** Of the next update. */
  readonly next: number;
}

/** What is told of one task: the same updates in the same order to everybody. */
export interface TaskFeed {
  readonly task: TaskRecord;
  /** All that was heard so far. */
  progress(): TaskProgress;
  /** From the beginning of the run, or from now. */
  listen(from: "beginning" | "now", historyLength?: number): FeedStart;
  /** Where a listener goes on that has heard all of an earlier feed of this task. */
  continueFrom(before: TaskFeed): Partial<FeedStart> & Pick<FeedStart, "next">;
  /**
   * Updates from `next` on, as JSON in one dialect; `over` when there will be no more. A listener that `stays` when the task
   * waits for a person is not told that this is the last one.
   */
  read(next: number, dialect: Dialect, stays?: boolean): { updates: readonly string[]; next: number; over: boolean };
  /** Resolves when there is an update from `next` on, when the feed is over, or on abort. */
  changed(next: number, signal?: AbortSignal): Promise<void>;
  /** Resolves when the task has come to rest and that is stored, or on abort. */
  rested(signal?: AbortSignal): Promise<void>;
}

/** A listener that stays with a task over its questions. */
export interface TaskSubscription {
  /**
   * The feed that comes after this one: that of the task's next run, or one that tells the task's end. Undefined on abort,
   * and when this process leaves its tasks.
   */
  nextFeed(feed: TaskFeed, signal?: AbortSignal): Promise<TaskFeed | undefined>;
  close(): void;
}

export interface TaskFeeds {
  /** Of a task that is under way: the one there is, or a new one. */
  open(task: TaskRecord): TaskFeed;
  find(task: TaskRecord): TaskFeed | undefined;
  /** Makes the feed of a task that waits for a person: it tells the task as it stands, and nothing more. */
  atRest(task: TaskRecord, progress: TaskProgress): TaskFeed;
  /** Nothing of the task is missed from here on, so read it afterwards. Faults: `unavailable` when there are too many. */
  subscribe(task: TaskRecord): TaskSubscription;
  isSubscribed(taskId: string): boolean;
  /** Tells subscribers of a task that ended while it waited for a person. */
  publishEnd(taskId: string, progress: TaskProgress): void;
  /** Tells subscribers that the tasks of a thread, or of an assistant, are gone. */
  publishDeleted(of: { thread_id: string; assistant_id?: never } | { assistant_id: string; thread_id?: never }): void;
  /** Follows what a process that died left under way. */
  recover(): Promise<void>;
  stop(): Promise<void>;
}

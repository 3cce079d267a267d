/** Ports of threads and their checkpoints. */
import type { Visibility } from "../../rules/visibility.ts";
import type { ListPosition } from "../../rules/cursor.ts";
import type { RequestOrigin } from "../../protocol/host-requests.ts";
import type * as checkpoints from "../../protocol/checkpoints.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { CursorSort, Thread, ThreadEnd, ThreadFilter, ThreadSearch, Ttl } from "../../protocol/threads.ts";

export type NewThread = Pick<Thread, "thread_id" | "metadata" | "config" | "created_at"> & { ttl?: Ttl };

/** A thread as it is stored. `resumable`: nodes would come next; `position`: that of its next event. */
export type StoredThread = Thread & { resumable: boolean; position: number };

/** Implemented in lib/drivers/sql/threads.ts. */
export interface ThreadStore {
  /** Returns false when there is a thread of this id. */
  insert(thread: NewThread): Promise<boolean>;
  get(threadId: string): Promise<StoredThread | undefined>;
  search(search: ThreadSearch, visible?: Visibility): Promise<{ threads: StoredThread[]; total: number }>;
  /**
   * Returns threads after a position, without a total. `next` is the position after which the search goes on; absent at the
   * end. A page may have fewer threads than `limit`, even none, although more follow: what no index answers is checked on a
   * bounded number of threads.
   */
  page(page: ThreadPage, visible?: Visibility): Promise<{ threads: StoredThread[]; next?: ListPosition }>;
  count(filter: ThreadFilter, visible?: Visibility): Promise<number>;
  /** Merges `metadata` into the thread's own; undefined when there is no such thread. */
  update(threadId: string, change: ThreadChange, now: number): Promise<StoredThread | undefined>;
  /**
   * Deletes a thread with its runs, their events, and its crons. Returns the ids of the runs that had not ended;
   * undefined when there is no such thread. With `expiredBy`, a thread stays that is busy, or whose time to live was not over
   * then (ms since the epoch).
   */
  delete(threadId: string, expiredBy?: number): Promise<readonly string[] | undefined>;
  /** Returns some of the threads whose time to live is over. */
  expired(now: number, limit?: number): Promise<{ thread_id: string; strategy: Ttl["strategy"] }[]>;
}

export interface ThreadPage extends ThreadFilter, Pick<ThreadSearch, "limit" | "sort_order"> {
  sort_by: CursorSort;
  /** The position after which the page begins. */
  after?: ListPosition;
}

export interface ThreadChange {
  metadata?: JsonObject;
  ttl?: Ttl;
  /** The new state after an update by a request; ignored when the thread has a checkpoint that is newer than `checkpoint`. */
  state?: Omit<ThreadEnd, "next"> & { waiting: boolean; checkpoint?: string };
}

/**
 * Checkpoints of threads. Writes of a run are refused (fault `conflict`) when its claim is lost. Token 0 is the host itself,
 * whose writes are refused while runs of the thread have not ended. Checkpoints of one thread are stored one after the other,
 * so that their ids increase.
 * Implemented in lib/drivers/sql/checkpoints.ts.
 */
export interface CheckpointStore {
  /** Returns the newest when `id` is left out; `SameCheckpoint` when that is the one with id `known`. */
  get(
    place: checkpoints.CheckpointScope,
    which?: { id?: string; known?: string },
  ): Promise<checkpoints.FoundCheckpoint | checkpoints.SameCheckpoint | undefined>;
  list(query: checkpoints.CheckpointQuery): Promise<checkpoints.CheckpointPage>;
  /** Lists the newest checkpoints of a scope, or the newest before one, without their states. */
  outline(
    place: checkpoints.CheckpointScope,
    page: { limit: number; before?: string },
  ): Promise<checkpoints.CheckpointOutline[]>;
  put(
    origin: RequestOrigin,
    checkpoint: checkpoints.NewCheckpoint,
    versions: readonly checkpoints.ChannelVersion[],
  ): Promise<checkpoints.PutAnswer>;
  /**
   * Makes a change that must not follow one that failed: `hasFailed` is asked when its turn has come. Faults: `conflict`,
   * also when a base is missing.
   */
  change(origin: RequestOrigin, change: checkpoints.CheckpointChange, hasFailed: () => boolean): Promise<void>;
  putWrites(
    origin: RequestOrigin,
    checkpoint: checkpoints.CheckpointCursor,
    writes: readonly checkpoints.CheckpointWrite[],
  ): Promise<void>;
  /** The host may do this at any time. */
  deleteThread(origin: RequestOrigin, thread: string): Promise<void>;
  /**
   * Copies the checkpoints of a thread to another, which has none yet. With `upTo`, nothing that is later than this checkpoint,
   * and none of its writes: the copy is about to take the step after it.
   */
  copyThread(from: string, to: string, upTo?: string): Promise<void>;
  /** Keeps only the newest checkpoint of each namespace. */
  prune(thread: string): Promise<void>;
}

/** Ports of threads and their checkpoints. */
import type { Visibility } from "../../rules/visibility.ts";
import type { RequestOrigin } from "../../protocol/host-requests.ts";
import type * as checkpoints from "../../protocol/checkpoints.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Thread, ThreadEnd, ThreadFilter, ThreadSearch, Ttl } from "../../protocol/threads.ts";

export type NewThread = Pick<Thread, "thread_id" | "metadata" | "config" | "created_at"> & { ttl?: Ttl };

/** A thread as it is stored; `waiting` while nodes come next that a person has to let go on; its next event's position. */
export type StoredThread = Thread & { waiting: boolean; position: number };

export interface ThreadStore {
  /** False when there is a thread of this id. */
  insert(thread: NewThread): Promise<boolean>;
  get(threadId: string): Promise<StoredThread | undefined>;
  search(search: ThreadSearch, visible?: Visibility): Promise<{ threads: StoredThread[]; total: number }>;
  count(filter: ThreadFilter, visible?: Visibility): Promise<number>;
  /** Puts `metadata` over the thread's own; undefined when there is no such thread. */
  update(threadId: string, change: ThreadChange, now: number): Promise<StoredThread | undefined>;
  /**
   * With its runs, their events, and its crons. Ids of the runs that had not ended; undefined when there is no such
   * thread.
   */
  delete(threadId: string): Promise<readonly string[] | undefined>;
  /** Threads whose time to live is over, some of them. */
  expired(now: number, limit?: number): Promise<{ thread_id: string; strategy: Ttl["strategy"] }[]>;
}

export interface ThreadChange {
  metadata?: JsonObject;
  ttl?: Ttl;
  /** After a change of its state by hand. */
  state?: Omit<ThreadEnd, "next"> & { waiting: boolean };
}

/**
 * What threads hold, step by step. What a run writes is refused (fault `conflict`) when its token is stale; an asker
 * with token 0 is the host itself. Steps of one thread are put one after the other, so that ids only grow.
 */
export interface CheckpointStore {
  /** The newest when `id` is left out. `SameCheckpoint` when that is the one with id `known`. */
  get(
    place: checkpoints.CheckpointPlace,
    which?: { id?: string; known?: string },
  ): Promise<checkpoints.FoundCheckpoint | checkpoints.SameCheckpoint | undefined>;
  list(query: checkpoints.CheckpointQuery): Promise<checkpoints.CheckpointPage>;
  put(
    origin: RequestOrigin,
    checkpoint: checkpoints.NewCheckpoint,
    versions: readonly checkpoints.ChannelVersion[],
  ): Promise<checkpoints.PutAnswer>;
  putWrites(
    origin: RequestOrigin,
    checkpoint: checkpoints.CheckpointCursor,
    writes: readonly checkpoints.CheckpointWrite[],
  ): Promise<void>;
  deleteThread(origin: RequestOrigin, thread: string): Promise<void>;
  /** Gives another thread, which has none yet, the checkpoints of this one. */
  copyThread(from: string, to: string): Promise<void>;
  /** Keeps only the newest checkpoint of each namespace. */
  prune(thread: string): Promise<void>;
}

import { HOST } from "../../protocol/host-requests.ts";
import { Fault } from "../../protocol/faults.ts";
import type { JsonObject } from "../../protocol/json.ts";
import {
  isCursorSort,
  type Thread,
  type ThreadCreate,
  type ThreadFilter,
  type ThreadPatch,
  type ThreadSearch,
  type Ttl,
} from "../../protocol/threads.ts";
import { encodeCursor } from "../../rules/cursor.ts";
import { type SearchPage, searchPage } from "../../rules/search-page.ts";
import { isVisible, type Visibility } from "../../rules/visibility.ts";
import { extractAll } from "../../rules/threads/extract.ts";
import { positionOf } from "../list-position.ts";
import type { Deployment, Platform } from "../ports/ports.ts";
import type { StoredThread, ThreadChange } from "../ports/threads.ts";
import { getThread, noThread } from "./find-thread.ts";
import { applySupersteps, getThreadState } from "./state.ts";
import { isoTime } from "../../protocol/iso-time.ts";

/** Creates a thread. Faults: `conflict` for a taken id with `if_exists: "raise"`; `invalid` for failing supersteps. */
export async function createThread(
  platform: Platform,
  deployment: Deployment,
  request: ThreadCreate,
  visible?: Visibility,
): Promise<Thread> {
  const thread_id = request.thread_id ?? platform.newId();
  const created_at = isoTime(platform.clock.now());
  const thread = {
    thread_id,
    metadata: request.metadata ?? {},
    config: {},
    created_at,
    ttl: request.ttl ?? defaultTtl(deployment),
  };
  const inserted = await deployment.threads.insert(thread);
  if (!inserted && !(await mayReuse(deployment, thread_id, request, visible)))
    throw new Fault("conflict", "Thread already exists");
  if (inserted && request.supersteps) {
    try {
      await applySupersteps(platform, deployment, thread_id, request.supersteps);
    } catch (error) {
      await deployment.threads.delete(thread_id);
      throw error;
    }
  }
  return shownThread(await getThread(deployment, thread_id));
}

function defaultTtl({ config }: Deployment): Ttl | undefined {
  const { strategy, default_ttl } = config?.checkpointer?.ttl ?? {};
  return default_ttl === undefined ? undefined : { ttl: default_ttl, strategy: strategy ?? "delete" };
}

/** Returns whether an existing thread may be returned in place of a new one. */
async function mayReuse(
  deployment: Deployment,
  threadId: string,
  { if_exists }: ThreadCreate,
  visible: Visibility | undefined,
): Promise<boolean> {
  if (if_exists === "raise") return false;
  const existing = await deployment.threads.get(threadId);
  return existing !== undefined && isVisible(visible, existing.metadata);
}

/** Searches threads, by offset or by cursor. Faults: `invalid` for a text that is no cursor of this order. */
export async function searchThreads(
  deployment: Deployment,
  search: ThreadSearch,
  visible?: Visibility,
): Promise<SearchPage<JsonObject>> {
  const { cursor, sort_by, sort_order } = search;
  const show = (threads: StoredThread[]): JsonObject[] => threads.map((thread) => selected(thread, search));
  if (cursor === undefined || !isCursorSort(sort_by)) {
    const { threads, total } = await deployment.threads.search(search, visible);
    return searchPage(show(threads), total, search.offset);
  }
  const sort = `${sort_by} ${sort_order}`;
  const page = { ...search, sort_by, after: positionOf(sort, cursor) };
  const { threads, next } = await deployment.threads.page(page, visible);
  return { items: show(threads), cursor: next && encodeCursor(sort, next) };
}

function selected(stored: StoredThread, { select, extract }: ThreadSearch): JsonObject {
  const thread: JsonObject = { ...shownThread(stored) };
  const fields = select ? Object.fromEntries(select.map((field) => [field, thread[field]])) : thread;
  return extract ? { ...fields, extracted: extractAll(thread, extract) } : fields;
}

export function countThreads(deployment: Deployment, filter: ThreadFilter, visible?: Visibility): Promise<number> {
  return deployment.threads.count(filter, visible);
}

/** Updates metadata and time to live. Faults: `not_found`. */
export async function updateThread(
  platform: Platform,
  deployment: Deployment,
  threadId: string,
  { metadata, ttl }: ThreadPatch,
): Promise<Thread> {
  const thread = await deployment.threads.update(threadId, { metadata, ttl }, platform.clock.now());
  if (!thread) throw noThread(threadId);
  return shownThread(thread);
}

/** Cancels the runs of a thread and deletes it with them and its checkpoints. Faults: `not_found`. */
export async function deleteThread(deployment: Deployment, threadId: string): Promise<void> {
  if (!(await removeThread(deployment, threadId))) throw noThread(threadId);
}

/** Returns false when there is no such thread, or, with `expiredBy`, when it goes on. */
async function removeThread(deployment: Deployment, threadId: string, expiredBy?: number): Promise<boolean> {
  const underWay = await deployment.threads.delete(threadId, expiredBy);
  if (!underWay) return false;
  for (const run of underWay) {
    if (!deployment.worker.cancel(run)) deployment.peers.cancel(run);
    deployment.log.drop(run);
  }
  deployment.taskFeeds.publishDeleted({ thread_id: threadId });
  deployment.log.notifyThreads();
  await deployment.checkpoints.deleteThread(HOST, threadId);
  return true;
}

export interface CopyOptions {
  /** Id of the copy; a new one when left out. */
  thread_id?: string;
  /** The last checkpoint of the copy; the newest when left out. */
  checkpoint_id?: string;
  /** Merged into the metadata. */
  metadata?: JsonObject;
}

/**
 * Copies a thread with its history. Faults: `not_found` for an unknown thread or checkpoint, `conflict` when the id of the copy
 * is taken.
 */
export async function copyThread(
  platform: Platform,
  deployment: Deployment,
  threadId: string,
  { thread_id = platform.newId(), checkpoint_id, metadata: added }: CopyOptions = {},
): Promise<Thread> {
  const original = await getThread(deployment, threadId);
  const { upTo, state } = await stateToCopy(deployment, original, checkpoint_id);
  const now = platform.clock.now();
  const metadata = { ...original.metadata, ...added, thread_id };
  const { config } = original;
  if (!(await deployment.threads.insert({ thread_id, metadata, config, created_at: isoTime(now) })))
    throw new Fault("conflict", "Thread already exists");
  await deployment.checkpoints.copyThread(threadId, thread_id, upTo);
  if (state) await deployment.threads.update(thread_id, { state }, now);
  return shownThread(await getThread(deployment, thread_id));
}

/** Returns the state of a copy, and the checkpoint at which it ends if that is not the newest. Faults: `not_found`. */
async function stateToCopy(
  deployment: Deployment,
  thread: StoredThread,
  checkpoint_id: string | undefined,
): Promise<{ upTo?: string; state?: ThreadChange["state"] }> {
  const { thread_id, values, interrupts, resumable } = thread;
  const scope = { thread: thread_id, ns: "" };
  const newest =
    checkpoint_id === undefined ? undefined : await deployment.checkpoints.get(scope, { known: checkpoint_id });
  if (checkpoint_id === undefined || (newest && "same" in newest)) {
    return values === null ? {} : { state: { values: JSON.stringify(values), interrupts, waiting: resumable } };
  }
  const at = await getThreadState(deployment, thread_id, { checkpoint: { checkpoint_id } });
  // The copy has none of the checkpoint's writes, so its interrupts are asked again.
  const state = { values: JSON.stringify(at.values), interrupts: {}, waiting: at.next.length > 0 };
  return { upTo: checkpoint_id, state };
}

/** Deletes threads, or their older checkpoints. Returns how many of the threads existed. */
export async function pruneThreads(
  deployment: Deployment,
  threadIds: readonly string[],
  strategy: Ttl["strategy"],
): Promise<number> {
  let pruned = 0;
  for (const threadId of new Set(threadIds)) {
    if (strategy === "delete") pruned += (await removeThread(deployment, threadId)) ? 1 : 0;
    else if (await deployment.threads.get(threadId)) {
      pruned++;
      await deployment.checkpoints.prune(threadId);
    }
  }
  return pruned;
}

/** Prunes the threads whose time to live is over. */
export async function sweepThreads(platform: Platform, deployment: Deployment): Promise<void> {
  const now = platform.clock.now();
  const expired = await deployment.threads.expired(now, deployment.config?.checkpointer?.ttl?.sweep_limit);
  for (const { thread_id, strategy } of expired) {
    if (strategy === "delete") await removeThread(deployment, thread_id, now);
    else {
      await deployment.checkpoints.prune(thread_id);
      // The thread goes on, so its time to live starts anew.
      const thread = await deployment.threads.get(thread_id);
      if (thread?.ttl)
        await deployment.threads.update(thread_id, { ttl: { ttl: thread.ttl.ttl_minutes, strategy } }, now);
    }
  }
}

/**
 * Calls back when any run has begun or ended, also one without a thread, or a thread was deleted. Returns a function that
 * stops it.
 */
export function watchThreads({ log }: Pick<Deployment, "log">, listener: () => void): () => void {
  return log.onThreadChange(listener);
}

/** Returns what callers see of a stored thread. */
export function shownThread({ resumable: _resumable, position: _position, ...thread }: StoredThread): Thread {
  return thread;
}

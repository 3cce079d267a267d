import type { RequestOrigin } from "../../protocol/host-requests.ts";
import { Fault } from "../../protocol/faults.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Thread, ThreadCreate, ThreadFilter, ThreadPatch, ThreadSearch, Ttl } from "../../protocol/threads.ts";
import { type SearchPage, searchPage } from "../../rules/search-page.ts";
import { isVisible, type Visibility } from "../../rules/visibility.ts";
import { extractAll } from "../../rules/threads/extract.ts";
import type { Deployment, Platform } from "../ports/ports.ts";
import type { StoredThread } from "../ports/threads.ts";
import { getThread, noThread } from "./find-thread.ts";
import { applySupersteps } from "./state.ts";
import { isoTime } from "../../protocol/iso-time.ts";

/** The host itself, which has no fencing token. */
export const HOST: RequestOrigin = { run: "", token: 0 };

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

export async function searchThreads(
  deployment: Deployment,
  search: ThreadSearch,
  visible?: Visibility,
): Promise<SearchPage<JsonObject>> {
  const { threads, total } = await deployment.threads.search(search, visible);
  const shown = threads.map((thread) => selected(thread, search));
  return searchPage(shown, total, search.offset);
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
  const underWay = await deployment.threads.delete(threadId);
  if (!underWay) throw noThread(threadId);
  for (const run of underWay) {
    deployment.worker.cancel(run);
    deployment.log.drop(run);
  }
  deployment.taskFeeds.publishDeleted({ thread_id: threadId });
  await deployment.checkpoints.deleteThread(HOST, threadId);
}

/** Copies a thread with its history; `added` is merged into the metadata. Faults: `not_found`. */
export async function copyThread(
  platform: Platform,
  deployment: Deployment,
  threadId: string,
  added: JsonObject = {},
): Promise<Thread> {
  const original = await getThread(deployment, threadId);
  const thread_id = platform.newId();
  const now = platform.clock.now();
  const { config, values, interrupts, waiting } = original;
  const metadata = { ...original.metadata, ...added, thread_id };
  await deployment.threads.insert({ thread_id, metadata, config, created_at: isoTime(now) });
  await deployment.checkpoints.copyThread(threadId, thread_id);
  if (values !== null) {
    const state = { values: JSON.stringify(values), interrupts, waiting };
    await deployment.threads.update(thread_id, { state }, now);
  }
  return shownThread(await getThread(deployment, thread_id));
}

/** Deletes threads, or their older checkpoints. Returns how many of the threads existed. */
export async function pruneThreads(
  deployment: Deployment,
  threadIds: readonly string[],
  strategy: Ttl["strategy"],
): Promise<number> {
  let pruned = 0;
  for (const threadId of new Set(threadIds)) {
    if (!(await deployment.threads.get(threadId))) continue;
    pruned++;
    if (strategy === "delete") await deleteThread(deployment, threadId);
    else await deployment.checkpoints.prune(threadId);
  }
  return pruned;
}

/** Prunes the threads whose time to live is over. */
export async function sweepThreads(platform: Platform, deployment: Deployment): Promise<void> {
  const now = platform.clock.now();
  const expired = await deployment.threads.expired(now, deployment.config?.checkpointer?.ttl?.sweep_limit);
  for (const { thread_id, strategy } of expired) {
    await pruneThreads(deployment, [thread_id], strategy);
    // The thread goes on, so its time to live starts anew.
    if (strategy === "keep_latest") {
      const thread = await deployment.threads.get(thread_id);
      if (thread?.ttl)
        await deployment.threads.update(thread_id, { ttl: { ttl: thread.ttl.ttl_minutes, strategy } }, now);
    }
  }
}

/** Calls back when a run of any thread has begun or ended. Returns a function that stops it. */
export function watchThreads({ log }: Pick<Deployment, "log">, listener: () => void): () => void {
  return log.onThreadChange(listener);
}

/** Returns what callers see of a stored thread. */
export function shownThread({ waiting: _waiting, position: _position, ...thread }: StoredThread): Thread {
  return thread;
}

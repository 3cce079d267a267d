import { isResting, isTerminal, type Message, type Task } from "../../protocol/a2a.ts";
import type { Assistant } from "../../protocol/assistants.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { RunCreate } from "../../protocol/runs.ts";
import type { StreamMode } from "../../protocol/stream.ts";
import type { StoredTask } from "../../protocol/tasks.ts";
import { threadsOfContext } from "../../rules/a2a/context.ts";
import { closeTask, currentProgress, stateOf, type TaskProgress } from "../../rules/a2a/task-fold.ts";
import { shortenedPart } from "../../rules/a2a/parts.ts";
import { taskOf, type Shown } from "../../rules/a2a/task.ts";
import type { Access } from "../access.ts";
import { isVisible } from "../../rules/visibility.ts";
import { cancelRun } from "../runs/cancel.ts";
import type { Deployment, Platform } from "../ports/ports.ts";
import { draftRun, type RunDraft } from "../runs/draft.ts";
import { storeRun } from "../runs/runs.ts";
import { newestRun } from "./task-feed.ts";
import { readNewestRun } from "./task-feeds.ts";
import { changeTask, toStoredConfig, type PushRequest } from "./task-pushes.ts";
import type { TaskRecord, TaskFeed, TaskFilter, TaskCursor } from "../ports/tasks.ts";
import { isoTime } from "../../protocol/iso-time.ts";

/** The run that a message starts: one with this input, or one that resumes the task's interrupted run. */
export type TaskRun = { input: JsonObject } | { resume: unknown } | { goOn: true };

export interface TaskRequest {
  assistant: Assistant;
  message: Message;
  contextId: string;
  /** Set when the server created the context for this message. */
  isNewContext?: boolean;
  run: TaskRun;
  streamMode: StreamMode[];
  headers: Record<string, string>;
  /** Permissions of the sender. */
  access: Access;
  /** The client's own metadata. */
  metadata: JsonObject;
  /** The configuration for push notifications about the task. */
  push?: PushRequest;
}

type Sender = Pick<TaskRequest, "contextId" | "isNewContext" | "assistant" | "access">;

/**
 * Starts a task and its first run, which share one id. Both are stored when this resolves. Faults: as `startRun`;
 * `not_found` for the context of another user.
 */
export async function startTask(platform: Platform, deployment: Deployment, request: TaskRequest): Promise<TaskFeed> {
  const threadId = await threadOf(platform, deployment, request);
  const draft = await draftTaskRun(platform, deployment, request, threadId);
  const { run_id, assistant_id, thread_id, created_at } = draft.run;
  const task: StoredTask = {
    task_id: run_id,
    assistant_id,
    context_id: request.contextId,
    thread_id,
    run_ids: [run_id],
    artifact_id: platform.newId(),
    history: [toStoredMessage(request.message)],
    metadata: request.metadata,
    created_at,
    state: "submitted",
    status_at: created_at,
  };
  const push = request.push && toStoredConfig(platform, run_id, request.push);
  await storeRun(deployment, draft, { task: { begins: task, push }, isRead: true });
  return deployment.taskFeeds.open(task);
}

/**
 * Resumes a task that waits for a person. Faults: as `startRun`; `conflict` when it does not wait any more, because it
 * was answered by another request.
 */
export async function answerTask(
  platform: Platform,
  deployment: Deployment,
  task: TaskRecord,
  request: TaskRequest,
): Promise<TaskFeed> {
  const at = isoTime(platform.clock.now());
  const message = toStoredMessage(request.message);
  const push = request.push && toStoredConfig(platform, task.task_id, request.push);
  const draft = await draftTaskRun(platform, deployment, request, task.thread_id);
  const resumed = { resumes: task.task_id, with: message, at, push };
  const run = await storeRun(deployment, draft, { task: resumed, isRead: true });
  deployment.peers.taskChanged(task.task_id);
  return deployment.taskFeeds.open({
    ...task,
    run_ids: [...task.run_ids, run.run_id],
    history: [...task.history, message],
    state: "submitted",
    status_at: at,
  });
}

function toStoredMessage(message: Message): Message {
  return { ...message, parts: message.parts.map(shortenedPart) };
}

async function draftTaskRun(
  platform: Platform,
  deployment: Deployment,
  { message, contextId, isNewContext, assistant, headers, access, metadata, run, streamMode }: TaskRequest,
  threadId: string,
): Promise<RunDraft> {
  const create = RunCreate.parse({
    assistant_id: assistant.assistant_id,
    input: "input" in run ? run.input : null,
    ...("resume" in run && { command: { resume: run.resume } }),
    stream_mode: streamMode,
    // The events are stored, so that the task can be folded from them after a restart.
    stream_resumable: true,
    if_not_exists: "create",
  });
  return await draftRun(platform, deployment, create, {
    threadId,
    isNewThread: isNewContext,
    assistant,
    headers,
    access,
    trigger: "a2a",
    // This metadata is not in the run's config, because every token event carries the config.
    metadata: { a2a: { ...metadata, context_id: contextId, message_id: message.messageId } },
  });
}

/** Returns the thread of a context: the first candidate that is unused or holds this graph's state. */
async function threadOf(
  platform: Platform,
  deployment: Deployment,
  { contextId, isNewContext, assistant: { graph_id }, access }: Sender,
): Promise<string> {
  const context = { contextId, graph: graph_id, user: access.user?.identity };
  const [best, ...others] = threadsOfContext(context, platform.sha1);
  const thread = others.length > 0 && !isNewContext ? await deployment.threads.get(best) : undefined;
  const graph = thread?.metadata.graph_id;
  return typeof graph === "string" && graph !== graph_id ? (others[0] ?? best) : best;
}

/** The permission that a request needs: to read a task, or to change it. */
export type TaskAction = "read" | "update";

/** Returns a task of this assistant; undefined when it does not exist, or the caller may not do this with it. */
export async function findTask(
  deployment: Deployment,
  access: Access,
  assistantId: string,
  { taskId, action }: { taskId: string; action: TaskAction },
): Promise<TaskRecord | undefined> {
  const task = await deployment.tasks.get(taskId);
  if (task?.assistant_id !== assistantId) return undefined;
  return (await isTaskVisible(deployment, access, task, action)) ? task : undefined;
}

/** Returns the task of a context that waits for a person; undefined when several wait. */
export async function findWaiting(
  platform: Platform,
  deployment: Deployment,
  request: Sender,
): Promise<TaskRecord | undefined> {
  const threadId = await threadOf(platform, deployment, request);
  const [only, ...others] = await deployment.tasks.waiting(threadId);
  if (only?.assistant_id !== request.assistant.assistant_id || others.length > 0) return undefined;
  return (await isTaskVisible(deployment, request.access, only)) ? only : undefined;
}

/** Returns whether the task's thread is visible to the caller. */
async function isTaskVisible(
  deployment: Deployment,
  access: Access,
  task: StoredTask,
  action: TaskAction = "read",
): Promise<boolean> {
  if (!access.user) return true;
  const { visible } = await access.permit(`threads:${action}`, { thread_id: task.thread_id });
  if (!visible) return true;
  const thread = await deployment.threads.get(task.thread_id);
  return thread !== undefined && isVisible(visible, thread.metadata);
}

/** Returns the task with its current progress; undefined when it was deleted meanwhile. */
export async function readTask(
  deployment: Deployment,
  task: TaskRecord,
): Promise<{ task: TaskRecord; progress: TaskProgress } | undefined> {
  // The stored end is the same for all servers, each of which may follow the task by a feed of its own.
  if (isResting(task.state) && task.progress) return { task, progress: task.progress };
  const feed = deployment.taskFeeds.find(task);
  if (feed) return { task: feed.task, progress: feed.progress() };
  // The end of a task is stored before its feed is removed, so without a feed the stored progress is complete.
  const now = isResting(task.state) ? task : await deployment.tasks.get(task.task_id);
  if (!now) return undefined;
  const known = isResting(now.state) ? now.progress : undefined;
  return { task: now, progress: known ?? (await readNewestRun(deployment, now)) };
}

export type TaskPage = { tasks: Task[]; total: number; next?: TaskCursor };

/** Lists tasks as they are stored, newest status first. */
export async function listTasks(
  deployment: Deployment,
  access: Access,
  filter: Omit<TaskFilter, "visible">,
  page: { after?: TaskCursor; limit: number; historyLength: number; artifacts: boolean },
): Promise<TaskPage> {
  const { visible } = await access.permit("threads:search", { metadata: {}, limit: page.limit, offset: 0 });
  const part = { after: page.after, limit: page.limit + 1 };
  const { tasks, total } = await deployment.tasks.list({ ...filter, visible }, part);
  const shown: Shown = { historyLength: page.historyLength, ...(!page.artifacts && { artifacts: [] }) };
  const found = tasks.slice(0, page.limit);
  const last = found.at(-1);
  return {
    tasks: await Promise.all(found.map(async (task) => taskOf(task, await storedProgressOf(deployment, task), shown))),
    total,
    ...(tasks.length > page.limit && last && { next: { status_at: last.status_at, task_id: last.task_id } }),
  };
}

/** Returns the progress as it is stored. A list is filtered and ordered by stored values, so it shows nothing newer. */
async function storedProgressOf(deployment: Deployment, task: TaskRecord): Promise<TaskProgress> {
  if (!isResting(task.state)) return currentProgress(task);
  return task.progress ?? (await readNewestRun(deployment, task));
}

/** Cancels a task and returns it, ended; undefined when it ended otherwise before it could be cancelled. */
export async function cancelTask(
  platform: Platform,
  deployment: Deployment,
  task: TaskRecord,
  signal?: AbortSignal,
): Promise<{ task: TaskRecord; progress: TaskProgress } | undefined> {
  if (isTerminal(task.state)) return undefined;
  if (isResting(task.state)) return await cancelWaiting(platform, deployment, task);
  const feed = deployment.taskFeeds.open(task);
  await cancelRun(deployment, newestRun(task));
  await feed.rested(signal);
  const progress = feed.progress();
  return isTerminal(stateOf(progress)) && stateOf(progress) !== "canceled" ? undefined : { task: feed.task, progress };
}

/** Cancels a task that waits. No run is under way, and its thread keeps its interrupts. */
async function cancelWaiting(platform: Platform, deployment: Deployment, task: TaskRecord) {
  const at = isoTime(platform.clock.now());
  const progress = closeTask(task.progress ?? (await readNewestRun(deployment, task)), "canceled", at);
  const state = stateOf(progress);
  const change = { from: [task.state], run: newestRun(task), state, at, progress, moment: "closed" } as const;
  if (await changeTask(platform, deployment, task, change)) {
    deployment.taskFeeds.publishEnd(task.task_id, progress);
    deployment.peers.taskChanged(task.task_id);
    return { task: { ...task, state, status_at: at }, progress };
  }
  const now = await deployment.tasks.get(task.task_id);
  return now && !isTerminal(now.state) ? await cancelTask(platform, deployment, now) : undefined;
}

/** Returns the feed of a task that is under way; undefined when the task waits or has ended. */
export async function openTask({ taskFeeds, tasks }: Deployment, task: TaskRecord): Promise<TaskFeed | undefined> {
  if (isResting(task.state)) return undefined;
  const known = taskFeeds.find(task);
  if (known) return known;
  // The end of a run is stored before its feed is removed.
  const now = await tasks.get(task.task_id);
  return now && !isResting(now.state) ? taskFeeds.open(now) : undefined;
}

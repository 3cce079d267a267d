import * as z from "zod";
import type { Assistant } from "../../protocol/assistants.ts";
import { Fault } from "../../protocol/faults.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { Run, type RunCreate, RunKwargs, type Trigger } from "../../protocol/runs.ts";
import { isVisible } from "../../rules/visibility.ts";
import { multitask } from "../../rules/runs/multitask.ts";
import { effectiveConfig, effectiveContext, keptConfigurable, type RunIdentity } from "../../rules/runs/config.ts";
import type { Access } from "../access.ts";
import { findAssistant } from "../assistants.ts";
import { requireWorking } from "../deployments.ts";
import type { Deployment, EnqueueOptions, NewRun, Platform } from "../ports/ports.ts";
import type { StoredThread } from "../ports/threads.ts";
import { noThread } from "../threads/find-thread.ts";
import { hasCheckpoint } from "../threads/state.ts";
import { requireWebhook } from "../webhooks.ts";

/** Inputs of a run besides its request. */
export interface RunDraftOptions {
  /** The caller's headers that go into the run's `configurable`. */
  headers?: Record<string, string>;
  /** Permissions of the caller; everything is allowed when left out. */
  access?: Access;
  /** The thread of the run; none when left out. */
  threadId?: string;
  /** The thread's id was created for this run, so no such thread is stored. */
  isNewThread?: boolean;
  /** The assistant that the request names, when it is known already. */
  assistant?: Assistant;
  /** Merged into the metadata of the request. */
  metadata?: JsonObject;
  /** Merged into the metadata of the request, for a thread that is created with the run. */
  threadMetadata?: JsonObject;
  /** Adds short notes about checkpoints to the run's events. */
  notes?: boolean;
  /** The trigger of the run; `api` if absent. */
  trigger?: Trigger;
  /** Deletes the thread when the run ends. */
  discard?: boolean;
}

/** A validated run, not stored yet. */
export interface RunDraft {
  readonly run: NewRun;
  /** The change of its thread; undefined for a run without one. */
  readonly thread: Pick<EnqueueOptions, "alone" | "metadata" | "configurable" | "create"> | undefined;
}

/**
 * Makes a run from a request, and stores nothing. Faults: `not_found` for an unknown assistant, thread or checkpoint,
 * `conflict` for a thread of another graph, `invalid` for a resume of a thread that waits for nothing or for a webhook
 * that is not allowed, `unavailable` when the code could not be started.
 */
export async function draftRun(
  platform: Platform,
  deployment: Deployment,
  request: RunCreate,
  options: RunDraftOptions = {},
): Promise<RunDraft> {
  requireWebhook(deployment, request.webhook);
  const assistant = options.assistant ?? (await findAssistant(platform, deployment, request.assistant_id));
  requireWorking(deployment);
  // A run without a thread whose request says "keep" creates a thread that stays.
  const kept = options.threadId === undefined && request.on_completion === "keep";
  const threadId = options.threadId ?? (kept ? crypto.randomUUID() : undefined);
  const isNew = threadId === undefined || kept || options.isNewThread === true;
  const thread = isNew ? undefined : await threadFor(deployment, threadId, request);
  const shared = deployment.lease !== undefined;
  const drafted = newRun(platform, assistant, request, { ...options, threadId, thread, shared });
  const { run, metadata } = await authorized(options.access, drafted, request, thread);
  if (thread) await requireReady(deployment, thread, assistant, request);
  const creates = kept || request.if_not_exists === "create";
  return {
    run,
    thread: run.threaded
      ? changeOf(run, request, creates ? { ...metadata, ...options.threadMetadata } : undefined)
      : undefined,
  };
}

/** `created` is the metadata of the thread when it is created with the run. */
function changeOf(run: NewRun, request: RunCreate, created: JsonObject | undefined): RunDraft["thread"] {
  return {
    alone: multitask[request.multitask_strategy].refuses,
    metadata: { graph_id: run.graph_id, assistant_id: run.assistant_id },
    configurable: keptConfigurable(request),
    create: created && { thread_id: run.thread_id, metadata: created, config: {}, created_at: run.updated_at },
  };
}

/** Returns the stored thread; undefined when it is created with the run. */
async function threadFor(deployment: Deployment, id: string, request: RunCreate): Promise<StoredThread | undefined> {
  const thread = await deployment.threads.get(id);
  if (!thread && request.if_not_exists !== "create") throw noThread(id);
  return thread;
}

/**
 * Authorizes the run. The application may change its metadata and its arguments. Returns the run and the metadata of
 * the request, which a thread that is created for the run gets as well.
 */
async function authorized(
  access: Access | undefined,
  run: NewRun,
  request: RunCreate,
  thread: StoredThread | undefined,
): Promise<{ run: NewRun; metadata: JsonObject }> {
  if (!access?.user) return { run, metadata: request.metadata ?? {} };
  const { value, visible } = await access.permit("threads:create_run", {
    thread_id: run.threaded ? run.thread_id : null,
    assistant_id: run.assistant_id,
    run_id: run.run_id,
    status: "pending",
    metadata: request.metadata ?? {},
    prevent_insert_if_inflight: multitask[request.multitask_strategy].refuses,
    multitask_strategy: request.multitask_strategy,
    if_not_exists: request.if_not_exists,
    after_seconds: request.after_seconds ?? 0,
    kwargs: run.kwargs,
  });
  if (thread && !isVisible(visible, thread.metadata)) throw noThread(thread.thread_id);
  const { metadata, kwargs } = AuthorizedRun.parse(value);
  return { run: { ...run, metadata: { ...run.metadata, ...metadata }, kwargs }, metadata };
}

const AuthorizedRun = z.object({ metadata: Run.shape.metadata, kwargs: RunKwargs });

/** Checks that the run can go on the thread. Faults: as `draftRun`. */
async function requireReady(
  deployment: Deployment,
  thread: StoredThread,
  assistant: Assistant,
  request: RunCreate,
): Promise<void> {
  const threadId = thread.thread_id;
  requireGraph(thread, assistant);
  const resumes = request.command?.resume !== undefined && request.command.resume !== null;
  if (resumes && !thread.resumable && thread.status !== "busy") {
    throw new Fault("invalid", `Thread ${threadId} is not interrupted: there is nothing to resume`);
  }
  const checkpoint = checkpointOf(request).checkpoint_id;
  if (typeof checkpoint === "string" && !(await hasCheckpoint(deployment, threadId, { checkpoint_id: checkpoint }))) {
    throw new Fault("not_found", `Checkpoint ${checkpoint} not found on thread ${threadId}`);
  }
}

/** Faults: `conflict` for a thread that holds another graph's state. */
export function requireGraph({ thread_id, metadata }: StoredThread, { graph_id }: Assistant): void {
  const graph = metadata.graph_id;
  if (typeof graph !== "string" || graph === graph_id) return;
  throw new Fault("conflict", `Thread ${thread_id} holds the state of graph "${graph}", not of "${graph_id}"`);
}

interface DraftContext extends RunDraftOptions {
  thread?: StoredThread;
  /** Servers that share the database read the run's events there. */
  shared: boolean;
}

function newRun(platform: Platform, assistant: Assistant, request: RunCreate, context: DraftContext): NewRun {
  const { threadId, thread, metadata = {} } = context;
  const identity = { run_id: platform.newId(), thread_id: threadId ?? crypto.randomUUID() };
  const now = platform.clock.now();
  return {
    ...identity,
    assistant_id: assistant.assistant_id,
    graph_id: assistant.graph_id,
    created_at: new Date(now + (request.after_seconds ?? 0) * 1000).toISOString(),
    updated_at: new Date(now).toISOString(),
    metadata: { ...assistant.metadata, ...thread?.metadata, ...request.metadata, ...metadata },
    kwargs: kwargsOf(assistant, request, identity, context),
    multitask_strategy: request.multitask_strategy,
    trigger: context.trigger ?? "api",
    keep: false,
    threaded: threadId !== undefined,
  };
}

function kwargsOf(
  assistant: Assistant,
  request: RunCreate,
  identity: RunIdentity,
  { headers = {}, thread, threadId, discard = false, notes, access, shared }: DraftContext,
): RunKwargs {
  const config = effectiveConfig(assistant, request, identity, headers, thread, access?.user);
  return {
    input: request.input ?? null,
    command: request.command ?? null,
    config: { ...config, configurable: { ...config.configurable, ...checkpointOf(request) } },
    context: effectiveContext(assistant, request) ?? null,
    stream_mode: request.stream_mode,
    interrupt_before: request.interrupt_before ?? null,
    interrupt_after: request.interrupt_after ?? null,
    webhook: request.webhook ?? null,
    feedback_keys: request.feedback_keys ?? null,
    temporary: discard || threadId === undefined,
    subgraphs: request.stream_subgraphs,
    resumable: request.stream_resumable || shared,
    durability: request.durability ?? (request.checkpoint_during === false ? "exit" : "async"),
    ...(notes && { checkpoint_notes: true }),
  };
}

/** Returns the checkpoint from which the run forks, with LangGraph's names. */
function checkpointOf({ checkpoint, checkpoint_id, config }: RunCreate): JsonObject {
  const { thread_id: _, ...place } = checkpoint ?? {};
  const id = checkpoint_id ?? place.checkpoint_id ?? config?.configurable?.checkpoint_id;
  return id === undefined || id === null ? {} : { checkpoint_ns: "", ...place, checkpoint_id: id };
}

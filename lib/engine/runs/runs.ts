import * as z from "zod";
import type { Assistant } from "../../protocol/assistants.ts";
import { Fault } from "../../protocol/faults.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { Run, type RunCreate, RunKwargs } from "../../protocol/runs.ts";
import { isVisible } from "../../rules/visibility.ts";
import { ANSWERED, BUSY } from "../../rules/runs/multitask.ts";
import { effectiveConfig, effectiveContext, keptConfigurable, type RunIdentity } from "../../rules/runs/config.ts";
import { shownRun } from "../../rules/runs/shown.ts";
import type { Access } from "../access.ts";
import { findAssistant } from "../assistants.ts";
import { requireWorking } from "../deployments.ts";
import { noThread } from "../threads/find-thread.ts";
import { requireWebhook } from "../webhooks.ts";
import { hasCheckpoint } from "../threads/state.ts";
import { cancelRun } from "./cancel.ts";
import type { Firing } from "../ports/crons.ts";
import type { Deployment, NewRun, Platform, RunPlace, StoredRun } from "../ports/ports.ts";
import type { TaskOfRun } from "../ports/tasks.ts";
import type { NewThread, StoredThread } from "../ports/threads.ts";

export interface StartRunOptions {
  /** Headers of the caller that go into the run's `configurable`. */
  headers?: Record<string, string>;
  /** The thread that the run goes on; none when left out. */
  threadId?: string;
  /** Nobody can have made that thread yet: its id is of this moment. */
  isNewThread?: boolean;
  /** The one that the request names, where it was looked up already. */
  assistant?: Assistant;
  /** Keep a run without a thread, and the events of any run, after its end. */
  keep?: boolean;
  /** Added to the run's metadata. */
  metadata?: JsonObject;
  /** Short notes of checkpoints among its events. */
  notes?: boolean;
  /** What the run is started by: it is stored only with this. Faults: `conflict` when another server has done so. */
  firing?: Firing;
  /** Its thread vanishes at its end. */
  discard?: boolean;
  /** Of who starts it. */
  access?: Access;
  /** The interrupts that it answers. Faults: `conflict` when another run has. */
  answers?: RunPlace["answers"];
  /** The A2A task that it is for. Faults: `conflict` when the task does not wait for it any more. */
  task?: (run: Pick<NewRun, "run_id" | "thread_id" | "assistant_id" | "created_at">) => TaskOfRun;
}

/**
 * Stores a run as pending and wakes the dispatcher; `follow` it from -1 to hear all of it.
 * Faults: `not_found` for an unknown assistant or thread, `conflict` for a thread that is busy (strategy `reject`) or of
 * another graph, `invalid` for a resume of a thread that waits for nothing, or a webhook that may not be, `unavailable`
 * when the code has been given up.
 */
export async function startRun(
  platform: Platform,
  deployment: Deployment,
  request: RunCreate,
  options: StartRunOptions = {},
): Promise<Run> {
  requireWebhook(deployment, request.webhook);
  const assistant = options.assistant ?? (await findAssistant(platform, deployment, request.assistant_id));
  requireWorking(deployment);
  // A run without a thread that is to be kept leaves one behind.
  const kept = options.threadId === undefined && request.on_completion === "keep";
  const threadId = options.threadId ?? (kept ? crypto.randomUUID() : undefined);
  const isNew = threadId === undefined || kept || options.isNewThread === true;
  const thread = isNew ? undefined : await threadFor(deployment, threadId, request);
  const drafted = newRun(platform, assistant, request, { ...options, threadId, thread });
  const { run, metadata } = await permitted(options.access, drafted, request, thread);
  if (thread) await requireReady(deployment, thread, assistant, request);
  deployment.log.open(run, -1);
  try {
    const { firing, answers, task } = options;
    await store(deployment, run, request, { kept, metadata, firing, answers, task: task?.(run) });
  } catch (error) {
    deployment.log.drop(run.run_id);
    throw error;
  }
  if (run.threaded) await makeWay(deployment, run);
  return shownRun({ ...run, status: "pending" });
}

/** The thread as it stands; undefined when it is to be made with the run. */
async function threadFor(
  deployment: Deployment,
  threadId: string,
  request: RunCreate,
): Promise<StoredThread | undefined> {
  const thread = await deployment.threads.get(threadId);
  if (!thread && request.if_not_exists !== "create") throw noThread(threadId);
  return thread;
}

/**
 * The run as the application lets it start: its metadata and what it is asked are the application's to change. With it
 * the metadata of the request, which a thread that is made for the run has as well.
 */
async function permitted(
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
    prevent_insert_if_inflight: request.multitask_strategy === "reject",
    multitask_strategy: request.multitask_strategy,
    if_not_exists: request.if_not_exists,
    after_seconds: request.after_seconds ?? 0,
    kwargs: run.kwargs,
  });
  if (thread && !isVisible(visible, thread.metadata)) throw noThread(thread.thread_id);
  const { metadata, kwargs } = Permitted.parse(value);
  return { run: { ...run, metadata: { ...run.metadata, ...metadata }, kwargs }, metadata };
}

const Permitted = z.object({ metadata: Run.shape.metadata, kwargs: RunKwargs });

/** Faults: as `startRun`, for a thread on which the run cannot go on. */
async function requireReady(
  deployment: Deployment,
  thread: StoredThread,
  assistant: Assistant,
  request: RunCreate,
): Promise<void> {
  const threadId = thread.thread_id;
  requireGraph(thread, assistant);
  const resumes = request.command?.resume !== undefined && request.command.resume !== null;
  if (resumes && !thread.waiting && thread.status !== "busy") {
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

interface Circumstances extends StartRunOptions {
  thread?: StoredThread;
}

function newRun(platform: Platform, assistant: Assistant, request: RunCreate, circumstances: Circumstances): NewRun {
  const { threadId, thread, metadata = {}, keep = false } = circumstances;
  const identity = { run_id: platform.newId(), thread_id: threadId ?? crypto.randomUUID() };
  const now = platform.clock.now();
  return {
    ...identity,
    assistant_id: assistant.assistant_id,
    graph_id: assistant.graph_id,
    created_at: new Date(now + (request.after_seconds ?? 0) * 1000).toISOString(),
    updated_at: new Date(now).toISOString(),
    metadata: { ...assistant.metadata, ...thread?.metadata, ...request.metadata, ...metadata },
    kwargs: kwargsOf(assistant, request, identity, circumstances),
    multitask_strategy: request.multitask_strategy,
    keep,
    threaded: threadId !== undefined,
  };
}

function kwargsOf(
  assistant: Assistant,
  request: RunCreate,
  identity: RunIdentity,
  { headers = {}, thread, threadId, keep = false, discard = false, notes, access }: Circumstances,
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
    temporary: discard || (threadId === undefined && !keep),
    subgraphs: request.stream_subgraphs,
    resumable: request.stream_resumable,
    durability: request.durability ?? (request.checkpoint_during === false ? "exit" : "async"),
    ...(notes && { checkpoint_notes: true }),
  };
}

/** Where the run forks off, in LangGraph's spelling. */
function checkpointOf({ checkpoint, checkpoint_id, config }: RunCreate): JsonObject {
  const { thread_id: _, ...place } = checkpoint ?? {};
  const id = checkpoint_id ?? place.checkpoint_id ?? config?.configurable?.checkpoint_id;
  return id === undefined || id === null ? {} : { checkpoint_ns: "", ...place, checkpoint_id: id };
}

async function store(
  deployment: Deployment,
  run: NewRun,
  request: RunCreate,
  { kept, metadata, firing, ...place }: Pick<RunPlace, "metadata" | "firing" | "answers" | "task"> & { kept: boolean },
): Promise<void> {
  const due = Date.parse(run.created_at);
  if (!run.threaded) {
    const inserted = deployment.runs.insert(run);
    // Before the insert is done: a claim asked for now is committed with it.
    deployment.wake(due);
    await inserted;
    return;
  }
  const { graph_id, assistant_id } = run;
  const mark = firing ? { cron_id: firing.cron_id } : {};
  const create: NewThread | undefined =
    kept || request.if_not_exists === "create"
      ? { thread_id: run.thread_id, metadata: { ...metadata, ...mark }, config: {}, created_at: run.updated_at }
      : undefined;
  const enqueued = deployment.runs.enqueue(run, {
    alone: request.multitask_strategy === "reject",
    metadata: { graph_id, assistant_id },
    configurable: keptConfigurable(request),
    create,
    firing,
    ...place,
  });
  deployment.wake(due);
  const outcome = await enqueued;
  if (outcome === "missing") throw noThread(run.thread_id);
  if (outcome === "busy") throw new Fault("conflict", BUSY);
  if (outcome === "answered") throw new Fault("conflict", ANSWERED);
  if (outcome === "fired") throw new Fault("conflict", "The cron has fired already, or was changed");
}

/** Ends the runs that are in the way of a new one, which waits behind them; the last first, so that none of them begins. */
async function makeWay(deployment: Deployment, run: NewRun): Promise<void> {
  const strategy = run.multitask_strategy;
  if (strategy !== "interrupt" && strategy !== "rollback") return;
  const others = await deployment.runs.inFlight(run.thread_id);
  for (const other of others.toReversed().filter((one) => one.run_id < run.run_id)) {
    await cancelRun(deployment, other.run_id, strategy);
  }
}

/** A run, of this thread if one is given. Faults: `not_found`. */
export async function getRun(deployment: Deployment, runId: string, threadId?: string): Promise<StoredRun> {
  const run = await deployment.runs.get(runId);
  if (!run || (threadId !== undefined && !(run.threaded && run.thread_id === threadId))) {
    throw new Fault("not_found", "Run not found");
  }
  return run;
}

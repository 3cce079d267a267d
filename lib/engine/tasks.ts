import type { Message } from "../protocol/a2a.ts";
import type { Assistant } from "../protocol/assistants.ts";
import type { JsonObject } from "../protocol/json.ts";
import { RunCreate } from "../protocol/runs.ts";
import type { StreamMode } from "../protocol/stream.ts";
import type { StoredTask } from "../protocol/tasks.ts";
import type { LoadedGraph } from "../protocol/worker.ts";
import { intakeOf, type Intake } from "../rules/a2a.ts";
import { beginTask, hear, type Heard } from "../rules/a2a-fold.ts";
import type { Access } from "./access.ts";
import { readInputSchema } from "./assistants.ts";
import { isRunVisible } from "./cancel.ts";
import { follow } from "./follow.ts";
import type { Deployment, Platform } from "./ports.ts";
import { startRun } from "./runs.ts";

/** What a message to an assistant starts. */
export interface TaskRequest {
  assistant: Pick<Assistant, "assistant_id">;
  message: Message;
  contextId: string;
  input: JsonObject;
  streamMode: StreamMode[];
  headers: Record<string, string>;
  /** Of who sent it. */
  access: Access;
  /** The client's own. */
  metadata: JsonObject;
}

/**
 * Starts the first run of a new task; the task has that run's id. `stored` settles when the task can be looked up:
 * await it before the client learns of the task.
 */
export async function startTask(
  platform: Platform,
  deployment: Deployment,
  request: TaskRequest,
): Promise<{ task: StoredTask; stored: Promise<void> }> {
  const { message, contextId, metadata } = request;
  const run = await startRun(
    platform,
    deployment,
    RunCreate.parse({
      assistant_id: request.assistant.assistant_id,
      input: request.input,
      stream_mode: request.streamMode,
      // A task can be looked up and followed for as long as it is kept.
      stream_resumable: true,
    }),
    {
      keep: true,
      headers: request.headers,
      access: request.access,
      // Not in the run's config: there every token would carry it.
      metadata: { a2a: { ...metadata, context_id: contextId, message_id: message.messageId } },
    },
  );
  const task: StoredTask = {
    task_id: run.run_id,
    assistant_id: run.assistant_id,
    context_id: contextId,
    run_ids: [run.run_id],
    artifact_id: platform.newId(),
    history: [message],
    metadata,
    created_at: run.created_at,
  };
  return { task, stored: deployment.tasks.insert(task) };
}

/** A task of this assistant; one of another is as unknown as one that never was. */
export async function findTask(
  deployment: Deployment,
  assistantId: string,
  taskId: string,
): Promise<StoredTask | undefined> {
  const task = await deployment.tasks.get(taskId);
  return task?.assistant_id === assistantId ? task : undefined;
}

/** Whether a caller may see a task: where its first run is visible. */
export async function isTaskVisible(deployment: Deployment, access: Access, task: StoredTask): Promise<boolean> {
  if (!access.user) return true;
  const run = await deployment.runs.get(task.run_ids[0] ?? task.task_id);
  if (!run) return false;
  const { visible } = await access.permit("threads:read", { thread_id: run.thread_id });
  return await isRunVisible(deployment, run, visible);
}

/** The task as its runs have told it so far. Undefined when a run of it was deleted. */
export async function readTask(deployment: Deployment, task: StoredTask): Promise<Heard | undefined> {
  let heard = beginTask(task);
  for (const runId of task.run_ids) {
    const run = await deployment.runs.get(runId);
    if (!run) return undefined;
    let seen = -1;
    for (let batch = await deployment.log.read(runId, seen); batch.length > 0;) {
      for (const event of batch) heard = hear(heard, event, run.updated_at);
      seen = batch.at(-1)?.id ?? seen;
      batch = await deployment.log.read(runId, seen);
    }
  }
  return heard;
}

export interface Hearing {
  heard: Heard;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The task after every batch of events of its newest run, from the run's beginning. */
export async function* followTask(
  platform: Platform,
  deployment: Deployment,
  task: StoredTask,
  signal?: AbortSignal,
): AsyncGenerator<Hearing, void, undefined> {
  let heard = beginTask(task);
  for await (const events of follow(deployment, task.run_ids.at(-1) ?? task.task_id, -1, signal)) {
    const now = platform.clock.now();
    const at = new Date(now).toISOString();
    for (const event of events) heard = hear(heard, event, at);
    yield { heard, now };
  }
}

/** By the list of graphs of one start of the worker: another start makes another list, and may load other code. */
const intakes = new WeakMap<readonly LoadedGraph[], Map<string, Promise<Intake>>>();

/** What a graph takes as input. Asked of the worker once; `unknown` as long as the worker cannot tell. */
export async function readIntake(deployment: Deployment, graph: string): Promise<Intake> {
  const loaded = deployment.worker.graphs();
  const known = intakes.get(loaded) ?? new Map<string, Promise<Intake>>();
  intakes.set(loaded, known);
  let intake = known.get(graph);
  if (!intake) {
    intake = readInputSchema(deployment, graph).then(intakeOf);
    known.set(graph, intake);
  }
  try {
    return await intake;
  } catch {
    known.delete(graph);
    return { takes: "unknown" };
  }
}

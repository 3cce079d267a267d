import { Fault } from "../../protocol/faults.ts";
import type { CheckpointScope } from "../../protocol/checkpoints.ts";
import { type JsonObject, parseJson } from "../../protocol/json.ts";
import type { Checkpoint, StateHistory, StateUpdate, Superstep, ThreadState } from "../../protocol/threads.ts";
import type { StateChanged, StateQuestion } from "../../protocol/worker.ts";
import { getThread } from "./find-thread.ts";
import { untilEnded } from "../follow.ts";
import type { Deployment, Platform } from "../ports/ports.ts";
import type { StoredThread } from "../ports/threads.ts";

/** State of a thread on which nothing has run. */
const EMPTY: ThreadState = {
  values: {},
  next: [],
  tasks: [],
  created_at: null,
  checkpoint: null,
  parent_checkpoint: null,
};

export interface StateOptions {
  checkpoint?: Checkpoint;
  subgraphs?: boolean;
  select?: readonly string[];
  valueLimit?: number;
}

/** Returns the state of a thread, or its selected members. Faults: `not_found` for an unknown thread or checkpoint. */
export async function getThreadState(
  deployment: Deployment,
  threadId: string,
  { checkpoint, subgraphs = false, select, valueLimit }: StateOptions = {},
): Promise<ThreadState> {
  const thread = await getThread(deployment, threadId);
  if (checkpoint?.checkpoint_id !== undefined && !(await hasCheckpoint(deployment, threadId, checkpoint))) {
    throw new Fault("not_found", `Checkpoint ${checkpoint.checkpoint_id} not found on thread ${threadId}`);
  }
  const graph = graphOf(thread);
  if (graph === undefined) return EMPTY;
  const configurable = await configurableOf(deployment, thread, checkpoint);
  // The worker answers as `StateQuestion` in lib/protocol/worker.ts says.
  const question: StateQuestion = { graph, configurable, do: "get", subgraphs, select, valueLimit };
  return (await deployment.worker.threadState(question)) as ThreadState;
}

export async function hasCheckpoint(deployment: Deployment, thread: string, checkpoint: Checkpoint): Promise<boolean> {
  const { checkpoint_id: id, checkpoint_ns: ns = "" } = checkpoint;
  // The checkpoint is marked as known, so that its values are not read.
  return (await deployment.checkpoints.get({ thread, ns }, { id, known: id })) !== undefined;
}

/** Lists the states of a thread, newest first, with their selected members. Faults: `not_found`. */
export async function getThreadHistory(
  deployment: Deployment,
  threadId: string,
  { limit, before, metadata, checkpoint, select, value_limit: valueLimit }: StateHistory,
): Promise<Partial<ThreadState>[]> {
  const thread = await getThread(deployment, threadId);
  const graph = graphOf(thread);
  if (graph === undefined) return [];
  if (select && !metadata && isOutline(select)) {
    const page = { limit, before };
    return await historyOutline(deployment, { thread: threadId, ns: checkpoint?.checkpoint_ns ?? "" }, page, select);
  }
  const configurable = await configurableOf(deployment, thread, { ...checkpoint, checkpoint_id: undefined });
  const page = { limit, before, filter: metadata, select, valueLimit };
  const question: StateQuestion = { graph, configurable, do: "history", ...page };
  return (await deployment.worker.threadState(question)) as Partial<ThreadState>[];
}

const OUTLINE = new Set(["checkpoint", "parent_checkpoint", "metadata"]);

/** Returns whether these members of a state are known without its values. */
const isOutline = (select: readonly string[]): boolean => select.every((one) => OUTLINE.has(one));

/** Lists positions alone, which needs neither the worker nor the states: they may be megabytes each. */
async function historyOutline(
  { checkpoints }: Deployment,
  scope: CheckpointScope,
  page: { limit: number; before?: string },
  select: readonly string[],
): Promise<Partial<ThreadState>[]> {
  const { thread: thread_id, ns: checkpoint_ns } = scope;
  const position = (checkpoint_id: string) => ({ thread_id, checkpoint_ns, checkpoint_id, checkpoint_map: null });
  return (await checkpoints.outline(scope, page)).map(({ id, parent, metadata }) => {
    const members: Partial<ThreadState> = {
      metadata: parseJson(metadata),
      checkpoint: position(id),
      parent_checkpoint: parent === undefined ? null : position(parent),
    };
    return Object.fromEntries(Object.entries(members).filter(([name]) => select.includes(name)));
  });
}

/**
 * Changes the state as if a node had returned the values. At a checkpoint that is not the newest, the thread forks.
 * Faults: `not_found`; `conflict` while a run is under way; `invalid` when the graph refuses the update.
 */
export async function updateThreadState(
  platform: Platform,
  deployment: Deployment,
  threadId: string,
  update: StateUpdate,
): Promise<{ checkpoint: JsonObject; configurable: JsonObject }> {
  const thread = await threadAtRest(deployment, threadId);
  const place: Checkpoint = { ...update.checkpoint };
  if (update.checkpoint_id !== undefined) place.checkpoint_id = update.checkpoint_id;
  const { checkpoint } = await change(platform, deployment, thread, place, {
    do: "update",
    values: update.values ?? null,
    asNode: update.as_node,
  });
  return { checkpoint, configurable: checkpoint };
}

/** The longest wait for the end of a run, in ms. A client learns of an interrupt a moment before that. */
const ENDING_MS = 500;

/** Returns the thread once its run has ended. Faults: `not_found`; `conflict` while a run is under way. */
async function threadAtRest(deployment: Deployment, threadId: string): Promise<StoredThread> {
  const thread = await getThread(deployment, threadId);
  if (thread.status !== "busy") return thread;
  const [run, ...others] = await deployment.runs.inFlight(threadId);
  if (run && others.length === 0) await untilEnded(deployment, run, AbortSignal.timeout(ENDING_MS));
  const later = await getThread(deployment, threadId);
  if (later.status === "busy") throw busy();
  return later;
}

/** Applies supersteps to a thread's state. Faults: as `updateThreadState`. */
export async function applySupersteps(
  platform: Platform,
  deployment: Deployment,
  threadId: string,
  supersteps: Superstep[],
): Promise<void> {
  await change(platform, deployment, await getThread(deployment, threadId), {}, { do: "supersteps", supersteps });
}

type Change = { do: "update"; values: unknown; asNode?: string } | { do: "supersteps"; supersteps: Superstep[] };

async function change(
  platform: Platform,
  deployment: Deployment,
  thread: StoredThread,
  checkpoint: Checkpoint,
  what: Change,
): Promise<StateChanged> {
  const graph = graphOf(thread);
  if (graph === undefined) {
    const message = `Thread ${thread.thread_id} has no graph yet: set metadata.graph_id or start a run on it`;
    throw new Fault("malformed", message);
  }
  const configurable = await configurableOf(deployment, thread, checkpoint);
  const question: StateQuestion = { graph, configurable, ...what };
  const changed = await changeInWorker(deployment, thread.thread_id, question);
  const { next, ...end } = changed.thread;
  const { checkpoint_id } = changed.checkpoint;
  const written = typeof checkpoint_id === "string" ? { checkpoint: checkpoint_id } : {};
  const state = { ...end, waiting: next.length > 0, ...written };
  await deployment.threads.update(thread.thread_id, { state }, platform.clock.now());
  return changed;
}

/** Faults: `conflict` when a run was stored since the thread was at rest, so that the change was refused. */
async function changeInWorker(deployment: Deployment, thread: string, question: StateQuestion): Promise<StateChanged> {
  try {
    return (await deployment.worker.threadState(question)) as StateChanged;
  } catch (error) {
    if ((await deployment.runs.inFlight(thread)).length > 0) throw busy();
    throw error;
  }
}

const busy = (): Fault => new Fault("conflict", "Thread is busy");

function graphOf({ metadata }: StoredThread): string | undefined {
  return typeof metadata.graph_id === "string" ? metadata.graph_id : undefined;
}

/** Returns the `configurable` of the thread's runs, which a function that makes the graph may read. */
async function configurableOf(
  { assistants }: Pick<Deployment, "assistants">,
  { thread_id, metadata, config }: StoredThread,
  { checkpoint_id, checkpoint_ns = "", checkpoint_map }: Checkpoint = {},
): Promise<JsonObject> {
  const { graph_id, assistant_id } = metadata;
  const assistant = typeof assistant_id === "string" ? await assistants.get(assistant_id) : undefined;
  return {
    ...(assistant?.graph_id === graph_id && assistant?.config.configurable),
    ...config.configurable,
    thread_id,
    checkpoint_ns,
    ...(checkpoint_id !== undefined && { checkpoint_id }),
    ...(checkpoint_map !== undefined && { checkpoint_map }),
  };
}

/** Builds the task that clients see from what the events of its runs say. */
import { isResting, type Artifact, type Message, type Part, type Task, type TaskStatus } from "../../protocol/a2a.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { StoredTask } from "../../protocol/tasks.ts";
import { latest, stateOf, type TaskProgress } from "./task-fold.ts";
import { artifactOf } from "./parts.ts";

type Ids = Pick<StoredTask, "task_id" | "context_id">;

const TOO_LARGE = "What the agent put out is too large for a reply: it is in the state of its thread";

/**
 * Returns the reply as far as there is one. A completed task always has one, and it is what the state holds: streamed
 * tokens may come from a model that a node called for another purpose.
 */
export function replyOf(progress: TaskProgress): readonly Part[] | undefined {
  const state = stateOf(progress);
  const { found, output = {}, isCut, writing } = progress;
  if (state === "completed") {
    if (found) return [...found.parts, ...structured(output)];
    const answer = structured(output);
    return isCut ? [{ kind: "text", text: TOO_LARGE }, ...answer] : [{ kind: "data", data: withoutArtifacts(output) }];
  }
  const written: Part[] | undefined = writing && [{ kind: "text", text: writing.text }];
  return isResting(state) ? (found?.parts ?? written) : (written ?? found?.parts);
}

/** Returns the structured response that agents with a response format add beside their last message. */
function structured({ structuredResponse, structured_response }: JsonObject): Part[] {
  const data = structuredResponse ?? structured_response;
  return isObject(data) ? [{ kind: "data", data }] : [];
}

function withoutArtifacts(output: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(output).filter(([key]) => key !== "artifacts"));
}

/** Returns the artifacts of a task: the reply first, then the items of the state's `artifacts`. */
function artifactsOf(task: Pick<StoredTask, "artifact_id">, progress: TaskProgress): Artifact[] {
  const parts = replyOf(progress);
  const reply: Artifact[] = parts ? [{ artifactId: task.artifact_id, name: "reply", parts }] : [];
  return [...reply, ...othersOf(task, progress)];
}

export function othersOf({ artifact_id }: Pick<StoredTask, "artifact_id">, progress: TaskProgress): Artifact[] {
  return (progress.artifacts ?? []).map((value, index) => artifactOf(value, `${artifact_id}.${index + 1}`));
}

/** Returns the status of one stage. The agent's messages are numbered within the task, so their ids never change. */
export function statusOf(task: Ids, progress: TaskProgress, stage: number): TaskStatus {
  const { state, at, says } = progress.stages[stage] ?? latest(progress);
  return { state, timestamp: at, ...(says && { message: agentMessage(task, stage, says) }) };
}

function agentMessage(task: Ids, stage: number, parts: readonly Part[]): Message {
  const messageId = `${task.task_id}.${stage}`;
  return { messageId, role: "agent", parts, contextId: task.context_id, taskId: task.task_id };
}

/** Limits the parts of a task that a response shows. */
export interface Shown {
  /** The number of newest messages to show; all when absent. */
  readonly historyLength?: number;
  /** Artifacts that replace the task's own. */
  readonly artifacts?: readonly Artifact[];
}

export function taskOf(task: StoredTask, progress: TaskProgress, { historyLength, ...shown }: Shown = {}): Task {
  const artifacts = shown.artifacts ?? artifactsOf(task, progress);
  return {
    id: task.task_id,
    contextId: task.context_id,
    status: statusOf(task, progress, progress.stages.length - 1),
    ...(artifacts.length > 0 && { artifacts }),
    ...(historyLength !== 0 && { history: historyOf(task, progress).slice(-(historyLength ?? Infinity)) }),
  };
}

/** Returns the messages before the present status, in order. A person's message begins each run. */
function historyOf(task: StoredTask, { stages }: TaskProgress): Message[] {
  const sent = task.history.map((message) => ({ ...message, contextId: task.context_id, taskId: task.task_id }));
  const history: Message[] = [];
  let run = 0;
  for (const [stage, { state, says }] of stages.entries()) {
    const message = state === "submitted" ? sent[run++] : undefined;
    if (message) history.push(message);
    if (says && stage < stages.length - 1) history.push(agentMessage(task, stage, says));
  }
  return [...history, ...sent.slice(run)];
}

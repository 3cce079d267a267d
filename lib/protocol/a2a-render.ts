import type { Artifact, Dialect, Message, Part, Task, TaskState, TaskStatus, TaskUpdate } from "./a2a.ts";
import { isObject, type JsonObject } from "./json.ts";

/**
 * Renders the neutral model in one dialect. Absent members are undefined here and missing on the wire. v1.0 output has
 * no key outside its proto, because the Python client would reject the whole response.
 */
export interface Rendering {
  /** Renders the result of `tasks/get`. */
  task(task: Task): JsonObject;
  /** Renders the result of a send that is not streamed. */
  sent(task: Task): JsonObject;
  /** Renders the result in one event of a stream. */
  update(update: TaskUpdate): JsonObject;
}

export const renderings: Record<Dialect, Rendering> = {
  "0.3": { task: task03, sent: task03, update: update03 },
  "1.0": { task: task10, sent: (task) => ({ task: task10(task) }), update: update10 },
};

function task03({ id, contextId, status, artifacts, history }: Task): JsonObject {
  return {
    kind: "task",
    id,
    contextId,
    status: status03(status),
    artifacts: filled(artifacts?.map((artifact) => artifactIn(artifact, part03))),
    history: history?.map(message03),
  };
}

function update03(update: TaskUpdate): JsonObject {
  if (update.kind === "task") return task03(update.task);
  const { taskId, contextId } = update;
  if (update.kind === "status") {
    return { kind: "status-update", taskId, contextId, status: status03(update.status), final: update.last };
  }
  const { append, lastChunk } = update;
  const artifact = artifactIn(update.artifact, part03);
  return { kind: "artifact-update", taskId, contextId, artifact, append, lastChunk };
}

function status03({ state, timestamp, message }: TaskStatus): JsonObject {
  return { state, timestamp, message: message && message03(message) };
}

function message03(message: Message): JsonObject {
  return { kind: "message", role: message.role, ...messageIn(message, part03) };
}

function part03(part: Part): JsonObject {
  const { kind, mediaType, metadata } = part;
  switch (kind) {
    case "text":
      return { kind, text: part.text, metadata };
    case "data":
      // v0.3 allows only objects.
      return { kind, data: isObject(part.data) ? part.data : { value: part.data }, metadata };
    case "bytes":
      return { kind: "file", file: { bytes: part.bytes, mimeType: mediaType, name: part.name }, metadata };
    case "url":
      return { kind: "file", file: { uri: part.url, mimeType: mediaType, name: part.name }, metadata };
  }
}

const STATE_10: Record<TaskState, string> = {
  submitted: "TASK_STATE_SUBMITTED",
  working: "TASK_STATE_WORKING",
  "input-required": "TASK_STATE_INPUT_REQUIRED",
  "auth-required": "TASK_STATE_AUTH_REQUIRED",
  completed: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  canceled: "TASK_STATE_CANCELED",
  rejected: "TASK_STATE_REJECTED",
};

function task10({ id, contextId, status, artifacts, history }: Task): JsonObject {
  return {
    id,
    contextId,
    status: status10(status),
    artifacts: filled(artifacts?.map((artifact) => artifactIn(artifact, part10))),
    history: filled(history?.map(message10)),
  };
}

function update10(update: TaskUpdate): JsonObject {
  if (update.kind === "task") return { task: task10(update.task) };
  const { taskId, contextId } = update;
  if (update.kind === "status") return { statusUpdate: { taskId, contextId, status: status10(update.status) } };
  const { append, lastChunk } = update;
  return { artifactUpdate: { taskId, contextId, artifact: artifactIn(update.artifact, part10), append, lastChunk } };
}

function status10({ state, timestamp, message }: TaskStatus): JsonObject {
  return { state: STATE_10[state], timestamp, message: message && message10(message) };
}

function message10(message: Message): JsonObject {
  return { role: message.role === "user" ? "ROLE_USER" : "ROLE_AGENT", ...messageIn(message, part10) };
}

function part10(part: Part): JsonObject {
  const { mediaType, metadata } = part;
  switch (part.kind) {
    case "text":
      return { text: part.text, mediaType, metadata };
    case "data":
      return { data: part.data, mediaType: mediaType ?? "application/json", metadata };
    case "bytes":
      return { raw: part.bytes, mediaType, filename: part.name, metadata };
    case "url":
      return { url: part.url, mediaType, filename: part.name, metadata };
  }
}

function messageIn(message: Message, part: (part: Part) => JsonObject): JsonObject {
  const { messageId, parts, contextId, taskId, metadata, extensions, referenceTaskIds } = message;
  return {
    messageId,
    parts: parts.map(part),
    contextId,
    taskId,
    metadata,
    extensions: filled(extensions),
    referenceTaskIds: filled(referenceTaskIds),
  };
}

function artifactIn({ artifactId, name, description, parts }: Artifact, part: (part: Part) => JsonObject): JsonObject {
  return { artifactId, name, description, parts: parts.map(part) };
}

function filled<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list && list.length > 0 ? list : undefined;
}

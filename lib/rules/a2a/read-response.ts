/** Reads the responses of an A2A endpoint of either generation for display. Total: accepts any value. */
import type { TaskState } from "../../protocol/a2a.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { taskTransitions } from "./task-states.ts";

export const taskStates = Object.keys(taskTransitions).filter(isTaskState);

function isTaskState(word: string): word is TaskState {
  return Object.hasOwn(taskTransitions, word);
}

/** Returns the state that has this name in v0.3 or v1.0. */
export function stateNamed(name: unknown): TaskState | undefined {
  if (typeof name !== "string") return undefined;
  const word = name.startsWith("TASK_STATE_") ? name.slice(11).toLowerCase().replaceAll("_", "-") : name;
  return isTaskState(word) ? word : undefined;
}

/** The text of a message or of an artifact, with data as JSON and files by name. */
export interface ShownText {
  readonly id: string;
  readonly who: "person" | "agent";
  readonly name?: string;
  readonly text: string;
}

export interface ReadTask {
  readonly id: string;
  readonly contextId: string;
  readonly state: TaskState | undefined;
  readonly at: string | undefined;
  /** The text of the status message. */
  readonly says: string | undefined;
  /** The interrupts that the task waits for, when the status message has them in the form that Graphlib sends. */
  readonly interrupts: readonly { readonly id: string; readonly value: unknown }[];
  /** The messages, oldest first. */
  readonly history: readonly ShownText[];
  readonly artifacts: readonly ShownText[];
}

const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

export function readTask(value: unknown): ReadTask | undefined {
  if (!isObject(value) || typeof value.id !== "string" || !isObject(value.status)) return undefined;
  const { state, timestamp, message } = value.status;
  return {
    id: value.id,
    contextId: textIn(value.contextId),
    state: stateNamed(state),
    at: typeof timestamp === "string" && !Number.isNaN(Date.parse(timestamp)) ? timestamp : undefined,
    says: isObject(message) ? textOfParts(message.parts, true) : undefined,
    interrupts: isObject(message) ? interruptsIn(message.parts) : [],
    history: objects(value.history).map(messageText),
    artifacts: objects(value.artifacts).map((artifact, index) => ({
      id: textIn(artifact.artifactId) || `${index}`,
      who: "agent",
      name: textIn(artifact.name) || textIn(artifact.artifactId),
      text: textOfParts(artifact.parts),
    })),
  };
}

function messageText(message: JsonObject, index: number): ShownText {
  const who = message.role === "user" || message.role === "ROLE_USER" ? "person" : "agent";
  return { id: `${index} ${textIn(message.messageId)}`, who, text: textOfParts(message.parts, who === "agent") };
}

/** Joins the texts of parts. `quiet` leaves out the data of interrupts, which repeats the text beside it. */
export function textOfParts(parts: unknown, quiet = false): string {
  const texts = objects(parts).map((part) => (quiet && interruptsIn([part]).length > 0 ? "" : textOfPart(part)));
  return texts.filter((text) => text !== "").join("\n");
}

function textOfPart(part: JsonObject): string {
  if (typeof part.text === "string") return part.text;
  if (part.data !== undefined) return JSON.stringify(part.data, null, 2) ?? "";
  const file = isObject(part.file) ? part.file : part;
  const type = textIn(file.mimeType) || textIn(file.mediaType);
  const name = textIn(file.name) || textIn(file.filename) || textIn(file.uri) || textIn(file.url);
  return `[file${name === "" ? "" : ` ${name}`}${type === "" ? "" : `, ${type}`}]`;
}

function interruptsIn(parts: unknown): ReadTask["interrupts"] {
  return objects(parts).flatMap(({ data }) =>
    isObject(data)
      ? objects(data.interrupts).map(({ id, value }, index) => ({ id: textIn(id) || `${index}`, value }))
      : [],
  );
}

export interface ResponseError {
  readonly code: number;
  readonly message: string;
  /** The reason that the error names, such as `TASK_NOT_FOUND`. */
  readonly reason?: string;
  /** The invalid members, each with a description. */
  readonly fields: readonly string[];
}

/** The summary of one response or of one event of a stream. */
export interface ReadFrame {
  readonly kind: string;
  readonly words: string;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly state?: TaskState;
  readonly failure?: ResponseError;
}

export function readFrame(value: unknown): ReadFrame {
  if (!isObject(value)) return { kind: "answer", words: "" };
  const failure = readFailure(value.error);
  if (failure) return { kind: "error", words: `${failure.code} ${failure.message}`, failure };
  return isObject(value.result) ? readResult(value.result) : { kind: "answer", words: "" };
}

function readResult(result: JsonObject): ReadFrame {
  const update = wrapped(result, "statusUpdate", "status-update");
  const artifact = wrapped(result, "artifactUpdate", "artifact-update");
  if (update) return { kind: "status-update", ...idsIn(update), ...stateIn(update) };
  if (artifact) return { kind: "artifact-update", ...idsIn(artifact), words: artifactWords(artifact) };
  const task = wrapped(result, "task", "task") ?? (readTask(result) ? result : undefined);
  if (task) return { kind: "task", contextId: given(task.contextId), taskId: given(task.id), ...stateIn(task) };
  const message = wrapped(result, "message", "message");
  if (message) return { kind: "message", ...idsIn(message), words: textOfParts(message.parts) };
  if (Array.isArray(result.tasks))
    return { kind: "list", words: `${result.tasks.length} of ${String(result.totalSize)}` };
  return { kind: typeof result.skills === "undefined" ? "answer" : "card", words: textIn(result.name) };
}

/** Returns the content of a result: v1.0 wraps it in a member, v0.3 marks it by its `kind`. */
function wrapped(result: JsonObject, member: string, kind: string): JsonObject | undefined {
  const inner = result[member];
  if (result.kind === kind) return result;
  return result.kind === undefined && isObject(inner) ? inner : undefined;
}

const given = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

function idsIn({ taskId, contextId }: JsonObject): Pick<ReadFrame, "taskId" | "contextId"> {
  return { taskId: given(taskId), contextId: given(contextId) };
}

function stateIn({ status }: JsonObject): { state?: TaskState; words: string } {
  const state = isObject(status) ? stateNamed(status.state) : undefined;
  return { state, words: state ?? "" };
}

function artifactWords({ artifact, append, lastChunk }: JsonObject): string {
  const text = isObject(artifact) ? textOfParts(artifact.parts) : "";
  return `${append === true ? "+ " : ""}${JSON.stringify(text)}${lastChunk === true ? ", last" : ""}`;
}

export function readFailure(error: unknown): ResponseError | undefined {
  if (!isObject(error) || typeof error.code !== "number") return undefined;
  const details = objects(error.data);
  const reason = details.map((one) => one.reason).find((one) => typeof one === "string");
  const fields = details
    .flatMap((one) => objects(one.fieldViolations))
    .map(({ field, description }) => `${textIn(field)}: ${textIn(description)}`);
  return { code: error.code, message: textIn(error.message), ...(typeof reason === "string" && { reason }), fields };
}

/** Folds the events of a task's runs into its progress, from which `rules/a2a/task.ts` builds the task. */
import { isResting, type Part, type TaskState } from "../../protocol/a2a.ts";
import { isDeeperThan, isObject, type JsonObject, parseJson } from "../../protocol/json.ts";
import { END, RunEnd, type RunError, type RunEvent } from "../../protocol/stream.ts";
import type { RunStatus } from "../../protocol/runs.ts";
import type { StoredTask } from "../../protocol/tasks.ts";
import { hasEnded } from "../runs/state.ts";
import { BY_WORD, stateIn, type TaskEvent, taskTransitions } from "./task-states.ts";
import { addedOutput, fitting, mayGrow, type Output, wholeOutput } from "./output.ts";
import { partsOf } from "./parts.ts";
import { questionText } from "../interrupts/question-text.ts";
import { textOf } from "../threads/content.ts";

/** A state that the task was in, with what the agent said when it began. */
export interface TaskStage {
  readonly state: TaskState;
  readonly at: string;
  readonly says?: readonly Part[];
  /** The id of the graph's message whose parts are in `says`. */
  readonly of?: string;
}

export interface TaskInterrupt {
  readonly id?: string;
  readonly value: unknown;
}

/** All that is known about a task from the events of its runs. */
export interface TaskProgress extends Output {
  /** Never empty, oldest first. */
  readonly stages: readonly [TaskStage, ...TaskStage[]];
  /** The id of the person's newest message. Messages before it in the graph's state are no reply. */
  readonly asked?: string;
  /** The reply so far, joined from tokens. */
  readonly writing?: { readonly id?: string; readonly text: string; readonly lastPiece: number };
  /** The newest message of the agent that a node put into the state, and what it says of the task's state. */
  readonly found?: { readonly parts: readonly Part[]; readonly state?: TaskState };
  /** Artifacts that the state has held since the newest run began, each as JSON. */
  readonly known?: ReadonlySet<string>;
  /** The items that this task has added to the state's `artifacts`. */
  readonly artifacts?: readonly unknown[];
  /** The number of characters in stages, artifacts and interrupts. */
  readonly kept?: number;
  /** Set when the run stopped to wait for a person; empty at a breakpoint. */
  readonly interrupts?: readonly TaskInterrupt[];
  readonly error?: RunError;
}

export function beginTask(task: Pick<StoredTask, "created_at" | "history">): TaskProgress {
  return { stages: [{ state: "submitted", at: task.created_at }], asked: task.history.at(-1)?.messageId };
}

export function stateOf(progress: TaskProgress): TaskState {
  return latest(progress).state;
}

/** Begins a new run after a person has answered. `asked` is the id of their message, if it goes into the state. */
function resumeTask(progress: TaskProgress, at: string, asked?: string): TaskProgress {
  const { interrupts: _, error: _error, found: _found, writing: _writing, ...rest } = progress;
  const state = taskTransitions["input-required"].resume;
  return withStage({ ...rest, ...(asked !== undefined && { asked }) }, { state, at });
}

/** Returns the progress at the beginning of the newest run, which continues that at the end of the run before. */
export function beginRun(task: StoredTask & { readonly progress?: TaskProgress }): TaskProgress {
  const { progress, run_ids, status_at, history } = task;
  if (progress === undefined || run_ids.length === 1) return beginTask(task);
  // An answer to an interrupt does not go into the state as a message.
  return resumeTask(progress, status_at, progress.interrupts ? undefined : history.at(-1)?.messageId);
}

/** Returns the progress of an active task as far as its row shows it. */
export function currentProgress(task: StoredTask & { readonly progress?: TaskProgress }): TaskProgress {
  const begun = beginRun(task);
  return task.state === "submitted" ? begun : withStage(begun, { state: task.state, at: task.status_at });
}

/** Returns the progress after a run that ended without its end event, or was deleted; undefined while it goes on. */
export function endAfter(
  progress: TaskProgress,
  run: { status: RunStatus } | undefined,
  at: string,
): TaskProgress | undefined {
  if (isResting(stateOf(progress))) return progress;
  if (run === undefined) return closeTask(progress, "canceled", at, "The run of this task was deleted");
  if (!hasEnded(run.status)) return undefined;
  return foldEvent(progress, { id: -1, event: END, data: JSON.stringify({ status: run.status }) }, at);
}

/** Ends a task that no event of a run ends. */
export function closeTask(progress: TaskProgress, state: TaskState, at: string, why?: string): TaskProgress {
  return withStage(progress, { state, at, ...(why !== undefined && { says: [{ kind: "text", text: why }] }) });
}

/** Returns the part of the progress that is stored of a resting task, without the graph's state, which may be long. */
export function atRest(progress: TaskProgress): TaskProgress {
  const { known: _, outputSize: _size, writing, output = {}, ...rest } = progress;
  const { structuredResponse, structured_response } = output;
  if (!progress.found) return { ...rest, output, ...(stateOf(progress) !== "completed" && { writing, output: {} }) };
  return { ...rest, output: { structuredResponse, structured_response } };
}

export function latest({ stages }: TaskProgress): TaskStage {
  return stages.at(-1) ?? stages[0];
}

/**
 * Folds the next event of the task's newest run into the progress. `at` is the event's time. Events after the task's end
 * change nothing. A task that waits for a person continues when another run begins.
 */
export function foldEvent(progress: TaskProgress, { event, data }: RunEvent, at: string): TaskProgress {
  const state = stateOf(progress);
  if (taskTransitions[state][event === "metadata" ? "begin" : "say"] === null) return progress;
  switch (event) {
    case "metadata":
      // This is another attempt at the same run, which writes the reply again from its beginning.
      if (state === "working")
        return { ...progress, ...(progress.writing && { writing: { ...progress.writing, id: undefined } }) };
      return move({ ...progress, interrupts: undefined, error: undefined, known: undefined }, "begin", { at });
    case "messages":
      return withPiece(progress, parse(data));
    case "updates":
      return withUpdates(progress, parse(data), data.length, at);
    case "values":
      return withValues(progress, parse(data), data.length, at);
    case "error":
      return { ...progress, error: errorOf(parse(data)) };
    case END:
      return end(progress, parse(data), at);
    default:
      return progress;
  }
}

/** Values of graphs are cut before they nest deeper than this. */
const DEEPEST = 1_000;

/** Parses JSON. Undefined for invalid JSON, and for JSON that nests too deep to be serialized again. */
function parse(data: string): unknown {
  const value = parseJson(data);
  return data.length > 2 * DEEPEST && isDeeperThan(value, DEEPEST) ? undefined : value;
}

/** Moves the task to the state that follows an event, if the event changes the state. */
function move(progress: TaskProgress, event: TaskEvent, stage: Omit<TaskStage, "state">): TaskProgress {
  const state = taskTransitions[stateOf(progress)][event];
  return state === null ? progress : withStage(progress, { state, ...stage });
}

function withStage(progress: TaskProgress, stage: TaskStage): TaskProgress {
  return { ...progress, stages: [...progress.stages, stage] };
}

/** Adds a token or a complete message to the reply. Pieces with the same id add up. */
function withPiece(progress: TaskProgress, data: unknown): TaskProgress {
  const message: unknown = Array.isArray(data) ? data[0] : undefined;
  if (!isObject(message) || !isAgents(message)) return progress;
  const piece = textOf(message.content);
  if (piece === "") return progress;
  const id = typeof message.id === "string" ? message.id : "";
  const before = progress.writing?.id === id ? progress.writing.text : "";
  if (!mayGrow(before.length + piece.length)) return progress;
  return { ...progress, writing: { id, text: before + piece, lastPiece: piece.length } };
}

/** Adds the updates of nodes, which are keyed by the name of the node. */
function withUpdates(progress: TaskProgress, data: unknown, size: number, at: string): TaskProgress {
  if (!isObject(data)) return progress;
  const { __interrupt__, ...nodes } = data;
  const updates = Object.values(nodes).flat().filter(isObject);
  const messages = updates.flatMap((update) => [update.messages].flat().flatMap(coerced));
  const updated = { ...withInterrupts(progress, __interrupt__), ...addedOutput(progress, updates, size) };
  return messages.reduce<TaskProgress>((next, message) => withMessage(next, message, at), updated);
}

/** Adds the whole state. Its messages after the person's newest one belong to this task. */
function withValues(progress: TaskProgress, data: unknown, size: number, at: string): TaskProgress {
  if (!isObject(data)) return progress;
  const { __interrupt__, ...values } = data;
  const next = withInterrupts(progress, __interrupt__);
  if (Object.keys(values).length === 0) return next;
  const messages = [values.messages].flat().flatMap(coerced);
  const asked = messages.findLastIndex((message) => message.id !== undefined && message.id === progress.asked);
  const newest = messages
    .slice(asked + 1)
    .findLast((message) => isAgents(message) && partsOf(message.content).length > 0);
  const updated = withArtifacts({ ...next, ...wholeOutput(values, size) }, values.artifacts);
  return newest ? withMessage(updated, newest, at) : updated;
}

/** The number of last artifacts of a state that are compared. */
const NEWEST_ARTIFACTS = 1_000;

/** Adds new artifacts. Those that the state had at the beginning of the run belong to earlier tasks. */
function withArtifacts(progress: TaskProgress, value: unknown): TaskProgress {
  const now: readonly unknown[] = Array.isArray(value) ? value.slice(-NEWEST_ARTIFACTS) : [];
  const { known, artifacts = [] } = progress;
  if (!known) return { ...progress, known: new Set([...now, ...artifacts].map((one) => JSON.stringify(one))) };
  const news = now.map((one) => ({ one, text: JSON.stringify(one) })).filter(({ text }) => !known.has(text));
  const { fit, kept } = fitting(news, ({ text }) => text, progress.kept);
  if (fit.length === 0) return progress;
  const all = [...known, ...fit.map(({ text }) => text)];
  return { ...progress, known: new Set(all), artifacts: [...artifacts, ...fit.map(({ one }) => one)], kept };
}

function withInterrupts(progress: TaskProgress, interrupts: unknown): TaskProgress {
  if (!Array.isArray(interrupts)) return progress;
  // One interrupt occurs several times: in several stream modes, and in every state after it.
  const known = new Set(progress.interrupts?.map(keyOf));
  const news = interrupts
    .filter(isObject)
    .map(({ id, value }): TaskInterrupt => ({ ...(typeof id === "string" && { id }), value: value ?? null }))
    .filter((one) => !known.has(keyOf(one)));
  const { fit, kept } = fitting(news, (one) => JSON.stringify(one), progress.kept);
  return { ...progress, interrupts: [...(progress.interrupts ?? []), ...fit], ...(fit.length > 0 && { kept }) };
}

/** Identifies an interrupt. Those of LangGraph before 0.3 have no id, so their values distinguish them. */
const keyOf = ({ id, value }: TaskInterrupt): string => id ?? JSON.stringify(value);

function withMessage(progress: TaskProgress, message: JsonObject, at: string): TaskProgress {
  const parts = isAgents(message) ? partsOf(message.content) : [];
  if (parts.length === 0) return progress;
  const next = { ...progress, found: { parts, state: stateIn(message) } };
  const calls = Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
  if (!calls) return next;
  // A message with calls of tools is no reply, but becomes a status message.
  const of = typeof message.id === "string" ? message.id : undefined;
  if (of !== undefined && progress.stages.some((stage) => stage.of === of)) return next;
  const stage = { state: taskTransitions.working.say, at, says: parts, of };
  const { fit, kept } = fitting([stage], (one) => JSON.stringify(one), progress.kept);
  return fit.length > 0 ? withStage({ ...next, kept }, stage) : next;
}

/** Returns a message as an object. A node may also write a pair of role and content. */
function coerced(message: unknown): JsonObject[] {
  if (Array.isArray(message) && typeof message[0] === "string") return [{ role: message[0], content: message[1] }];
  return isObject(message) ? [message] : [];
}

const AGENT = new Set<unknown>(["ai", "AIMessage", "AIMessageChunk", "assistant"]);

function isAgents(message: JsonObject): boolean {
  return AGENT.has(message.type ?? message.role);
}

function errorOf(data: unknown): RunError {
  const { error, message } = isObject(data) ? data : {};
  return {
    error: typeof error === "string" ? error : "Error",
    message: typeof message === "string" ? message : "the run failed",
  };
}

function end(progress: TaskProgress, data: unknown, at: string): TaskProgress {
  const read = RunEnd.safeParse(data);
  const status = read.success ? read.data.status : "error";
  switch (status) {
    case "success":
      return progress.interrupts
        ? move(progress, "ask", { at, says: questionOf(progress.interrupts) })
        : endByWord(progress, at);
    case "interrupted":
      return move(progress, "cancel", { at });
    case "timeout":
      return move(progress, "fail", { at, says: [{ kind: "text", text: "The run took too long" }] });
    case "error":
      return move(progress, "fail", { at, says: [{ kind: "text", text: reasonOf(progress.error) }] });
  }
}

/** Ends a successful run. The task is completed unless the graph itself has set another state. */
function endByWord(progress: TaskProgress, at: string): TaskProgress {
  const { found, output } = progress;
  const state = found?.state ?? (output && stateIn({ metadata: output.metadata }));
  const event = BY_WORD.get(state);
  if (state === undefined || event === undefined) return move(progress, "complete", { at });
  const says = found?.parts ?? [{ kind: "text", text: `The assistant has set this task to ${state}` }];
  return move(progress, event, { at, says });
}

function questionOf(interrupts: readonly TaskInterrupt[]): Part[] {
  const questions = interrupts.map(({ value }) => questionText(value));
  const text = questions.length > 0 ? questions.join("\n\n") : "The run has stopped at a breakpoint";
  return [
    { kind: "text", text },
    { kind: "data", data: { interrupts } },
  ];
}

const REASON_LIMIT = 500;

/** Returns the first line of an error, because a stack may follow it. */
function reasonOf({ error, message }: RunError = { error: "Error", message: "the run failed" }): string {
  return `${error}: ${message.split("\n", 1)[0]}`.slice(0, REASON_LIMIT);
}

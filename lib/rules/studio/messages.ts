/** Folds messages and their pieces into the steps of the tasks that write them. */
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { appendPiece, readMessage } from "../threads/transcript.ts";
import { enterStep, graphOf, holds, withStep } from "./graphs.ts";
import { tasksAround } from "./namespace.ts";
import { KeyedList } from "./keyed-list.ts";
import type { StudioMessage, StudioRun, StudioStep, StudioTask } from "./run.ts";
import { ensureTask, withTask } from "./tasks.ts";

/** The most messages of a step. */
const MOST_MESSAGES = 1000;
/** The most characters of a message's text. */
const LONGEST = 1_000_000;

/** Takes a piece of a message, or a whole one: `[message, metadata]`. */
export function takePiece(run: StudioRun, data: unknown, namespace: string): StudioRun {
  if (!Array.isArray(data) || !isObject(data[0])) return run;
  const [message] = data as [JsonObject];
  const metadata: unknown = data[1];
  const [placed, place] = placeOf(run, namespace, isObject(metadata) ? metadata : {});
  const id = typeof message.id === "string" && message.id !== "" ? message.id : `message of ${place.task ?? namespace}`;
  return withMessage(placed, place, id, (before) => {
    const piece = readMessage(message, id);
    if (!before) return { ...piece, ...authorOf(place) };
    return before.state ? before : cut({ ...before, ...appendPiece(before, piece, undefined) });
  });
}

/** Takes messages that replace what is known of them: `messages/partial` and `messages/complete`. */
export function takeWhole(run: StudioRun, data: unknown, isComplete: boolean): StudioRun {
  let next = run;
  for (const message of Array.isArray(data) ? data.filter(isObject) : []) {
    const { id } = message;
    if (typeof id !== "string" || id === "") continue;
    const [placed, place] = knownPlaceOf(next, id);
    next = withMessage(placed, place, id, (before) => {
      if (before?.state && !isComplete) return before;
      const author = before ? { task: before.task, node: before.node } : place;
      return cut({ ...readMessage(message, id), ...(isComplete ? { state: message } : {}), ...authorOf(author) });
    });
  }
  return next;
}

/** Takes `messages/metadata`, which tells where the messages come from that follow. */
export function takeMetadata(run: StudioRun, data: unknown): StudioRun {
  if (!isObject(data)) return run;
  return Object.entries(data).reduce((next, [id, about]) => {
    const metadata = isObject(about) && isObject(about.metadata) ? about.metadata : {};
    const [placed, { step }] = placeOf(next, "", metadata);
    return { ...placed, messageSteps: placed.messageSteps.with(id, step) };
  }, run);
}

/** Adds the messages that a task wrote to the state. They are complete, and replace their pieces. */
export function withResultMessages(run: StudioRun, task: StudioTask, result: unknown): StudioRun {
  if (!isObject(result)) return run;
  let next = run;
  for (const key of Object.keys(result)) {
    for (const { id, state } of writtenMessages(task, key, result[key])) {
      const place = { step: task.stepKey, task: task.id, node: task.node };
      next = withMessage(next, place, id, () => {
        return { ...readMessage(state, id), state, task: task.id, node: task.node };
      });
    }
  }
  return next;
}

interface WrittenMessage {
  readonly id: string;
  readonly state: JsonObject;
}

/**
 * Returns the messages that a task wrote to a key. A history tells of writes as they were before the graph's reducer gave
 * their messages ids, so these are named by their place.
 */
function writtenMessages(task: StudioTask, key: string, value: unknown): readonly WrittenMessage[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.filter(isMessage).map((state, index) => ({
    id: typeof state.id === "string" && state.id !== "" ? state.id : `${task.id}.${key}.${index}`,
    state,
  }));
}

/** Returns whether a task wrote nothing but messages to a key, all of which its step has as messages. */
export function areOfStep({ messages }: StudioStep, task: StudioTask, key: string, value: unknown): boolean {
  const written = writtenMessages(task, key, value);
  const count = Array.isArray(value) ? value.length : 1;
  return count > 0 && written.length === count && written.every(({ id }) => messages.indexOf(id) >= 0);
}

const isMessage = (value: unknown): value is JsonObject =>
  isObject(value) && typeof value.type === "string" && "content" in value;

/** Removes the messages of a task that are not complete: it starts again, and writes them anew. */
export function withoutPieces(run: StudioRun, task: StudioTask): StudioRun {
  const step = run.steps.get(task.stepKey);
  if (!step) return run;
  const kept = [...step.messages].filter((message) => message.task !== task.id || message.state);
  if (kept.length === step.messages.size) return run;
  const messages = kept.reduce((all, one) => all.with(one.id, one), KeyedList.empty<StudioMessage>());
  return { ...run, steps: run.steps.with(step.key, { ...step, messages }) };
}

interface MessagePlace {
  /** The key of the step. */
  readonly step: string;
  readonly task?: string | undefined;
  readonly node?: string | undefined;
}

function authorOf({ task, node }: Pick<MessagePlace, "task" | "node">): Pick<StudioMessage, "task" | "node"> {
  return { ...(task === undefined ? {} : { task }), ...(node === undefined ? {} : { node }) };
}

/** Finds the task that writes a message. Its tokens tell that it runs, even if its start was not told. */
function placeOf(run: StudioRun, namespace: string, metadata: JsonObject): [StudioRun, MessagePlace] {
  const told = namespace === "" ? metadata.langgraph_checkpoint_ns : namespace;
  const own = typeof told === "string" ? tasksAround(told).at(-1) : undefined;
  if (own?.id === undefined) return rootPlace(run, namespace);
  const step = typeof metadata.langgraph_step === "number" ? { step: metadata.langgraph_step } : {};
  const known = ensureTask(run, { namespace: own.outer, id: own.id, name: own.name, ...step });
  const task = known.tasks.get(own.id);
  if (!task) return rootPlace(known, namespace);
  const place = { step: task.stepKey, task: task.id, node: task.node };
  if (task.status !== "waiting") return [known, place];
  return [withTask(known, { ...task, status: "running", attempt: 1, toldAt: run.seen }), place];
}

/** Returns the step under way of a graph, for a message whose task is not told. */
function rootPlace(run: StudioRun, namespace: string): [StudioRun, MessagePlace] {
  const entered = enterStep(run, namespace, undefined);
  return [entered, { step: graphOf(entered, namespace).stepKey }];
}

function knownPlaceOf(run: StudioRun, id: string): [StudioRun, MessagePlace] {
  const step = run.messageSteps.get(id);
  if (step === undefined) return rootPlace(run, "");
  const task = run.steps.get(step)?.tasks;
  // The step of a single task is the task's own.
  const only = task?.length === 1 ? run.tasks.get(task[0] ?? "") : undefined;
  return [run, { step, task: only?.id, node: only?.node }];
}

function withMessage(
  run: StudioRun,
  place: MessagePlace,
  id: string,
  change: (before: StudioMessage | undefined) => StudioMessage,
): StudioRun {
  const step = run.steps.get(place.step);
  if (!step) return run;
  const before = step.messages.get(id);
  if (!before && step.messages.size >= MOST_MESSAGES) {
    return withStep(run, step, { messagesLeftOut: step.messagesLeftOut + 1 });
  }
  const after = change(before);
  return withStep(run, step, { messages: step.messages.with(id, before && holds(before, after) ? before : after) });
}

function cut(message: StudioMessage): StudioMessage {
  const over = message.text.length - LONGEST;
  if (over <= 0) return message;
  return { ...message, text: message.text.slice(0, LONGEST), leftOut: (message.leftOut ?? 0) + over };
}

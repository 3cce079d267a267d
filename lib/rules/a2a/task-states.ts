import type { TaskState } from "../../protocol/a2a.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";

/** What happens to a task. */
export const taskEvents = [
  /** A run of it begins, or is tried again. */
  "begin",
  /** The agent says something before it has come to an end. */
  "say",
  "complete",
  /** The agent waits for a person. */
  "ask",
  "fail",
  "reject",
  "cancel",
  /** A person has answered: a run is stored that goes on with it. */
  "resume",
] as const;
export type TaskEvent = (typeof taskEvents)[number];

const ACTIVE = {
  begin: "working",
  say: "working",
  complete: "completed",
  ask: "input-required",
  fail: "failed",
  reject: "rejected",
  cancel: "canceled",
  resume: null,
} as const;

const WAITS = {
  begin: "working",
  say: null,
  complete: null,
  ask: null,
  fail: null,
  reject: null,
  cancel: "canceled",
  resume: "submitted",
} as const;

const ENDED = {
  begin: null,
  say: null,
  complete: null,
  ask: null,
  fail: null,
  reject: null,
  cancel: null,
  resume: null,
} as const;

/** The state after every event in every state; null where the event changes nothing. */
export const taskTransitions = {
  submitted: ACTIVE,
  working: ACTIVE,
  "input-required": WAITS,
  "auth-required": WAITS,
  completed: ENDED,
  failed: ENDED,
  canceled: ENDED,
  rejected: ENDED,
} as const satisfies Record<TaskState, Record<TaskEvent, TaskState | null>>;

/** States in which a graph may leave its task by its own word, and what happens to the task then. */
export const BY_WORD = new Map<unknown, TaskEvent>([
  ["rejected", "reject"],
  ["failed", "fail"],
  ["input-required", "ask"],
]);

/** `a2a.state` in the metadata of a message or of the whole state. */
export function stateIn({ metadata, additional_kwargs, response_metadata }: JsonObject): TaskState | undefined {
  for (const place of [metadata, additional_kwargs, response_metadata]) {
    const a2a = isObject(place) ? place.a2a : undefined;
    if (isObject(a2a) && BY_WORD.has(a2a.state)) return a2a.state as TaskState;
  }
  return undefined;
}

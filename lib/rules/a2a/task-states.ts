import type { TaskState } from "../../protocol/a2a.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";

/** The events that may change the state of a task. */
export const taskEvents = [
  /** A run of the task begins, or is retried. */
  "begin",
  /** The agent says something before its end. */
  "say",
  "complete",
  /** The agent waits for a person. */
  "ask",
  "fail",
  "reject",
  "cancel",
  /** A person has answered, and a run that continues the task is stored. */
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

const WAITS = { ...ENDED, begin: "working", cancel: "canceled", resume: "submitted" } as const;

/** The next state after every event in every state; null if the event changes nothing. */
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

/** The states that a graph itself may set for its task, and the event that each stands for. */
export const BY_WORD = new Map<unknown, TaskEvent>([
  ["rejected", "reject"],
  ["failed", "fail"],
  ["input-required", "ask"],
]);

/** Returns `a2a.state` in the metadata of a message or of the whole state. */
export function stateIn({ metadata, additional_kwargs, response_metadata }: JsonObject): TaskState | undefined {
  for (const place of [metadata, additional_kwargs, response_metadata]) {
    const a2a = isObject(place) ? place.a2a : undefined;
    if (isObject(a2a) && BY_WORD.has(a2a.state)) return a2a.state as TaskState;
  }
  return undefined;
}

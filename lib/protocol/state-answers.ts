/** Validates a worker's answers about a thread's state. */
import { isObject, parseJson } from "./json.ts";
import type { StateQuestion } from "./worker.ts";

/** Returns whether a JSON value has the type a question requires: `ThreadState`, `ThreadState[]` or `StateChanged`. */
export function answersState(question: StateQuestion, answer: unknown): boolean {
  if (question.do === "get") return question.select ? isSelection(answer) : isThreadState(answer);
  if (question.do === "history")
    return Array.isArray(answer) && answer.every(question.select ? isSelection : isThreadState);
  return isObject(answer) && isObject(answer.checkpoint) && isThreadEnd(answer.thread);
}

function isThreadState(value: unknown): boolean {
  return isObject(value) && areTexts(value.next) && Array.isArray(value.tasks);
}

/** Returns whether a value may be a part of a `ThreadState`. */
function isSelection(value: unknown): boolean {
  return isObject(value) && isThreadState({ next: [], tasks: [], ...value });
}

/** Returns whether a value is a `ThreadEnd`. Its `values` are stored as text, so they must be valid JSON. */
function isThreadEnd(value: unknown): boolean {
  if (!isObject(value) || !areTexts(value.next) || !isJson(value.values)) return false;
  const { interrupts } = value;
  return isObject(interrupts) && Object.values(interrupts).every((list) => Array.isArray(list) && list.every(isObject));
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isJson(text: unknown): boolean {
  return typeof text === "string" && parseJson(text) !== undefined;
}

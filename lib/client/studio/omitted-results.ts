import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { OmittedSizes } from "../../rules/threads/bounded-state.ts";
import type { StateHead } from "../../rules/studio/state-heads.ts";
import { fileSize } from "../measures.ts";

const RESULT = "result.";

/** Names in the results of a state's tasks what was left out of them for its size. */
export function withOmittedResults(head: StateHead): StateHead {
  if (!head.tasks.some((task) => isObject(task) && isObject(task.omitted))) return head;
  return { ...head, tasks: head.tasks.map((task) => (isObject(task) ? withOmitted(task) : task)) };
}

function withOmitted(task: JsonObject): JsonObject {
  const { omitted, ...rest } = task;
  if (!isObject(omitted)) return task;
  // The API tells numbers here.
  const sizes = Object.entries(omitted as OmittedSizes);
  const whole = sizes.find(([path]) => path === "result");
  if (whole) return { ...rest, result: words(whole[1]) };
  const named = sizes.map(([path, size]) => [path.slice(RESULT.length), words(size)]);
  return { ...rest, result: { ...(isObject(rest.result) ? rest.result : {}), ...Object.fromEntries(named) } };
}

const words = (size: number): string => `${fileSize(size)}, not loaded`;

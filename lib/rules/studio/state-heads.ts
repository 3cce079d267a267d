import { isObject } from "../../protocol/json.ts";
import type { ThreadState } from "../../protocol/threads.ts";
import type { ParsedEvent } from "../threads/transcript.ts";
import { checkpointIdOf } from "../threads/read-state.ts";

/** A state of a thread without its values, which may be large. */
export type StateHead = Omit<ThreadState, "values">;

/** Returns the state that an event of the outermost graph tells of, in the modes `debug` and `checkpoints`. Total. */
export function headOf({ event, data }: ParsedEvent): StateHead | undefined {
  if (!isObject(data)) return undefined;
  const isDebug = event === "debug" && data.type === "checkpoint";
  const payload = isDebug ? data.payload : event === "checkpoints" ? data : undefined;
  if (!isObject(payload) || checkpointIdOf(payload.checkpoint) === undefined) return undefined;
  const { next, tasks, metadata, checkpoint, parent_checkpoint } = payload;
  return {
    next: Array.isArray(next) ? next.filter((one) => typeof one === "string") : [],
    tasks: Array.isArray(tasks) ? tasks : [],
    metadata,
    created_at: typeof data.timestamp === "string" ? data.timestamp : null,
    checkpoint,
    parent_checkpoint,
  };
}

/** Adds newer states to a history, newest first. A state with a known id replaces the older answer about it. */
export function withNewer(history: readonly StateHead[], newer: readonly StateHead[]): readonly StateHead[] {
  const added = new Map(newer.map((head) => [checkpointIdOf(head.checkpoint), head]));
  const sorted = [...added.values()].toSorted(newestFirst);
  const oldest = sorted.at(-1);
  if (!oldest) return history;
  // States that are older than all of these keep their order. Those of a running graph are older as a rule.
  const older = history.findIndex((head) => newestFirst(oldest, head) < 0);
  const split = older === -1 ? history.length : older;
  const kept = history.slice(0, split).filter((head) => !added.has(checkpointIdOf(head.checkpoint)));
  return [...[...sorted, ...kept].toSorted(newestFirst), ...history.slice(split)];
}

/** Ids of checkpoints are time-ordered UUIDs, so their text tells their order. */
function newestFirst(a: StateHead, b: StateHead): number {
  const [one, other] = [checkpointIdOf(a.checkpoint) ?? "", checkpointIdOf(b.checkpoint) ?? ""];
  return one < other ? 1 : one > other ? -1 : 0;
}

/** Adds an older page to a history. */
export function withOlder(history: readonly StateHead[], older: readonly StateHead[]): readonly StateHead[] {
  const known = new Set(history.map((head) => checkpointIdOf(head.checkpoint)));
  return [...history, ...older.filter((head) => !known.has(checkpointIdOf(head.checkpoint)))];
}

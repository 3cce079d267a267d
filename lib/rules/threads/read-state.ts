/** Reads parts of states of the API, which may be anything. Total. */
import { isObject } from "../../protocol/json.ts";

/** Returns the id of a position; undefined for null, which stands for a thread without checkpoints. */
export function checkpointIdOf(checkpoint: unknown): string | undefined {
  return isObject(checkpoint) && typeof checkpoint.checkpoint_id === "string" ? checkpoint.checkpoint_id : undefined;
}

/** Returns ms since the epoch of an ISO 8601 time. */
export function timeOf(iso: unknown): number | undefined {
  const time = typeof iso === "string" ? Date.parse(iso) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

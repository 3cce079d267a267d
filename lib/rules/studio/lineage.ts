/** The states and runs that led to the newest state of a thread. */
import { isObject } from "../../protocol/json.ts";
import { checkpointIdOf } from "../threads/read-state.ts";
import type { StateHead } from "./state-heads.ts";
import { isInput } from "./turns.ts";

/** A run that wrote states of a lineage. */
export interface LineageRun {
  readonly id: string;
  /** The id of the state from which it went on; absent if the turn began with it, or if that is not known. */
  readonly from?: string;
  /** The id of its last state that others followed: a fork leaves a run before its end. */
  readonly last: string;
}

/** Returns the runs that led to the newest state since its input, oldest first. `history`: newest first. Total. */
export function lineageRuns(history: readonly StateHead[]): readonly LineageRun[] {
  const heads = new Map(history.map((head) => [checkpointIdOf(head.checkpoint), head]));
  const runs: LineageRun[] = [];
  const newest = checkpointIdOf(history[0]?.checkpoint);
  for (let id = newest; id !== undefined;) {
    const head = heads.get(id);
    // Each state is met once, although parents may form a circle.
    if (!head || !heads.delete(id)) break;
    const from = isInput(head) ? undefined : checkpointIdOf(head.parent_checkpoint);
    const run = runOf(head);
    const later = runs.at(-1);
    if (run !== undefined && later?.id === run) {
      const { from: _from, ...rest } = later;
      runs.splice(-1, 1, { ...rest, ...(from !== undefined && { from }) });
    } else if (run !== undefined) runs.push({ id: run, last: id, ...(from !== undefined && { from }) });
    id = from;
  }
  return runs.toReversed();
}

function runOf({ metadata }: StateHead): string | undefined {
  return isObject(metadata) && typeof metadata.run_id === "string" ? metadata.run_id : undefined;
}

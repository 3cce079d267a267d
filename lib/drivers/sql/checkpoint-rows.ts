import type { NewCheckpoint } from "../../protocol/checkpoints.ts";
import { Fault } from "../../protocol/faults.ts";
import { LONGEST_LINE } from "../../protocol/worker-lines.ts";
import { fromJson } from "./json-column.ts";
import type { CheckpointsTable } from "./tables.ts";

/** The key of a channel's value: the channel and its version. */
export type ValueKey = readonly [channel: string, version: string];

/** The most bytes of values, and of writes, that are read for one checkpoint. A state of 32 M characters is smaller. */
export const LARGEST = 4 * LONGEST_LINE;

export function tooLarge(): Fault {
  return new Fault("too_large", `A checkpoint is larger than ${LARGEST / 1024 / 1024} MB and can't be read`);
}

/** Returns the versions that a checkpoint refers to. A channel may have no value at its version. */
export function versionsOf({ checkpoint }: Pick<CheckpointsTable, "checkpoint">): ValueKey[] {
  const { channel_versions } = fromJson<{ channel_versions?: Record<string, number | string> }>(checkpoint);
  return Object.entries(channel_versions ?? {}).map(([channel, version]) => [channel, String(version)]);
}

export function toRow({ thread, ns, id, parent, checkpoint, metadata }: NewCheckpoint, run: string): CheckpointsTable {
  return { thread_id: thread, ns, checkpoint_id: id, parent_id: parent ?? null, run_id: run, checkpoint, metadata };
}

export function fromRow(row: CheckpointsTable): NewCheckpoint {
  return {
    thread: row.thread_id,
    ns: row.ns,
    id: row.checkpoint_id,
    ...(row.parent_id !== null && { parent: row.parent_id }),
    checkpoint: row.checkpoint,
    metadata: row.metadata,
  };
}

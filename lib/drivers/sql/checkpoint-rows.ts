import type { NewCheckpoint } from "../../protocol/checkpoints.ts";
import { Fault } from "../../protocol/faults.ts";
import { LONGEST_LINE } from "../../protocol/worker-lines.ts";
import { fromJson } from "./json-column.ts";
import type { CheckpointsTable } from "./tables.ts";

type Row = CheckpointsTable;
/** A channel's version. */
export type Wanted = readonly [channel: string, version: string];

/** Most that is read of one checkpoint, in bytes: of its values, and of its writes. A state of 32 M characters is smaller. */
export const LARGEST = 4 * LONGEST_LINE;

export function tooLarge(): Fault {
  return new Fault("too_large", `A checkpoint is larger than ${LARGEST / 1024 / 1024} MB: it can't be read`);
}

/** What the checkpoint names; a channel may have no value at its version. */
export function versionsOf({ checkpoint }: Pick<Row, "checkpoint">): Wanted[] {
  const { channel_versions } = fromJson<{ channel_versions?: Record<string, number | string> }>(checkpoint);
  return Object.entries(channel_versions ?? {}).map(([channel, version]) => [channel, String(version)]);
}

export function toRow({ thread, ns, id, parent, checkpoint, metadata }: NewCheckpoint, run: string): Row {
  return { thread_id: thread, ns, checkpoint_id: id, parent_id: parent ?? null, run_id: run, checkpoint, metadata };
}

export function fromRow(row: Row): NewCheckpoint {
  return {
    thread: row.thread_id,
    ns: row.ns,
    id: row.checkpoint_id,
    ...(row.parent_id !== null && { parent: row.parent_id }),
    checkpoint: row.checkpoint,
    metadata: row.metadata,
  };
}

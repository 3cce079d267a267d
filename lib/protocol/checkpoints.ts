/**
 * Checkpoints on the worker's channel and in the database. Values stay as the application's LangGraph serializer wrote
 * them: the host never parses one.
 */

/** A serialized value. `data` is the text itself if `type` is `json`, and base64 of the bytes for all other types. */
export interface StoredValue {
  type: string;
  data: string;
}

/**
 * A list as a difference: the first `keep` items of the version `base` of the same channel, followed by `items`, as
 * JSON texts. This keeps long threads cheap.
 */
export interface ListPart<Item = string> {
  base?: string;
  keep: number;
  items: readonly Item[];
}

/** The value of a channel at a version. A channel without a value has no version here. */
export interface ChannelVersion {
  channel: string;
  version: string;
  value: StoredValue | ListPart;
}

export interface CheckpointWrite extends StoredValue {
  task: string;
  /** Index among the task's writes; below 0 for kinds of which a task has one (`__error__`, `__interrupt__`, ...). */
  index: number;
  channel: string;
}

/** A sequence of checkpoints: those of one graph within a thread. */
export interface CheckpointScope {
  thread: string;
  ns: string;
}

export interface NewCheckpoint extends CheckpointScope {
  id: string;
  parent?: string;
  /** JSON text of the checkpoint without `channel_values`. The host reads only `channel_versions` from it. */
  checkpoint: string;
  /** JSON text. */
  metadata: string;
}

export interface StoredCheckpoint extends NewCheckpoint {
  /** Writes, ordered by task and index. */
  writes: CheckpointWrite[];
}

/** Answer to `get` when the requester still has the checkpoint `known`. Only its writes may have changed. */
export interface SameCheckpoint {
  same: true;
  writes: CheckpointWrite[];
}

/** A checkpoint with the versions it refers to, and all versions they are based on. */
export interface FoundCheckpoint {
  checkpoint: StoredCheckpoint;
  versions: ChannelVersion[];
}

/** The place of a checkpoint in the history of its thread, without the state. */
export type CheckpointOutline = Pick<NewCheckpoint, "id" | "parent" | "metadata">;

/** A page of checkpoints, the newest first. */
export interface CheckpointPage {
  checkpoints: StoredCheckpoint[];
  /** Versions of all checkpoints, each version once. */
  channels: (CheckpointScope & { versions: ChannelVersion[] })[];
  /** Cursor of the next page, to be sent as `after`; absent on the last page. */
  next?: CheckpointCursor;
}

export interface CheckpointCursor extends CheckpointScope {
  id: string;
}

export interface CheckpointQuery extends Partial<CheckpointScope> {
  id?: string;
  /** Exclusive upper bound of the ids. */
  before?: string;
  after?: CheckpointCursor;
  /** The most checkpoints to return. A page may have fewer although `next` is set. */
  limit?: number;
  /** Members that the metadata must have. */
  filter?: Record<string, unknown>;
}

/** Answer to `put`. `whole`: a base is missing and nothing was stored, so the put must be repeated with whole lists. */
export type PutAnswer = null | { whole: true };

export type CheckpointRequest = { about: "checkpoint" } & (
  | /**
     * Answer: `FoundCheckpoint | SameCheckpoint | null`. The newest checkpoint is returned when `id` is absent. `known`
     * is the id of a checkpoint that the requester still has.
     */
    ({ do: "get"; id?: string; known?: string } & CheckpointScope)
  /** Answer: `CheckpointPage`. */
  | ({ do: "list" } & CheckpointQuery)
  /**
   * Answer: `PutAnswer`. A repeated put of the same id replaces checkpoint and metadata. `versions` are those that are
   * new in this checkpoint; a version that is stored already is kept.
   */
  | ({ do: "put"; versions: ChannelVersion[] } & NewCheckpoint)
  /** Answer: null. A write with an index below 0 replaces an existing one; of other indexes the first write is kept. */
  | ({ do: "writes"; id: string; writes: CheckpointWrite[] } & CheckpointScope)
  /** Answer: null. */
  | { do: "delete"; thread: string }
);

/** A request that changes what is stored of a checkpoint, and whose answer says nothing where it succeeds. */
export type CheckpointChange = Extract<CheckpointRequest, { do: "put" | "writes" }>;

/** Returns the list at `version`, or undefined when a part of it is missing. */
export function listAt<Item>(
  version: string,
  partAt: (version: string) => ListPart<Item> | undefined,
): Item[] | undefined {
  const parts: ListPart<Item>[] = [];
  for (let at: string | undefined = version; at !== undefined; at = parts.at(-1)?.base) {
    const part = partAt(at);
    if (!part) return undefined;
    parts.push(part);
  }
  // The parts are in order, the newest first. An older part contributes only the items before those of newer parts.
  let end = Infinity;
  const pieces = parts.map(({ base, keep, items }) => {
    const start = base === undefined ? 0 : keep;
    const piece = items.slice(0, Math.max(0, end - start));
    end = Math.min(end, start);
    return piece;
  });
  const whole: Item[] = [];
  for (const piece of pieces.toReversed()) for (const item of piece) whole.push(item);
  return whole;
}

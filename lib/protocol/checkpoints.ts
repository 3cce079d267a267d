/**
 * Checkpoints as they cross the worker's channel and lie in the database. Values are kept as LangGraph's serializer of
 * the application wrote them: the host never looks into one.
 */

/** `data` is the text itself where `type` is `json`, and base64 of the bytes for every other type. */
export interface StoredValue {
  type: string;
  data: string;
}

/**
 * A list of which only the end is new. It begins with the first `keep` items of the version `base` of the same channel;
 * `items` follow, as JSON texts. That is what keeps long threads cheap.
 */
export interface ListPart<Item = string> {
  base?: string;
  keep: number;
  items: readonly Item[];
}

/** What a channel held at a version. A channel without a value has no version here. */
export interface ChannelVersion {
  channel: string;
  version: string;
  value: StoredValue | ListPart;
}

export interface CheckpointWrite extends StoredValue {
  task: string;
  /** Place among the task's writes; below 0 for those of which a task has one (`__error__`, `__interrupt__`, ...). */
  index: number;
  channel: string;
}

/** Where checkpoints follow one another: a thread, and in it a graph. */
export interface CheckpointPlace {
  thread: string;
  ns: string;
}

export interface NewCheckpoint extends CheckpointPlace {
  id: string;
  parent?: string;
  /** JSON text of the checkpoint without `channel_values`. Of it the host reads `channel_versions`. */
  checkpoint: string;
  /** JSON text. */
  metadata: string;
}

export interface StoredCheckpoint extends NewCheckpoint {
  /** Ordered by task and index. */
  writes: CheckpointWrite[];
}

/** `known` was asked for: nothing but its writes may have changed. */
export interface SameCheckpoint {
  same: true;
  writes: CheckpointWrite[];
}

/** `versions` are those the checkpoint names, and all that they are based on. */
export interface FoundCheckpoint {
  checkpoint: StoredCheckpoint;
  versions: ChannelVersion[];
}

/** Newest first. */
export interface CheckpointPage {
  checkpoints: StoredCheckpoint[];
  /** Every version once, however many of the checkpoints name it. */
  channels: (CheckpointPlace & { versions: ChannelVersion[] })[];
  /** There may be more behind this one: ask again with it as `after`. */
  next?: CheckpointCursor;
}

export interface CheckpointCursor extends CheckpointPlace {
  id: string;
}

export interface CheckpointQuery extends Partial<CheckpointPlace> {
  id?: string;
  /** Only ids below it. */
  before?: string;
  after?: CheckpointCursor;
  /** A page may hold fewer while `next` says that there are more. */
  limit?: number;
  /** Members that the metadata must have. */
  filter?: Record<string, unknown>;
}

/** `whole`: a base is not there (any more), and nothing was stored. Put again, with lists that begin with nothing. */
export type PutAnswer = null | { whole: true };

export type CheckpointAsk = { about: "checkpoint" } & (
  | /**
     * Answer: `FoundCheckpoint | SameCheckpoint | null`; the newest of the place when `id` is left out. `known` is the id of
     * one that the asker still has.
     */
    ({ do: "get"; id?: string; known?: string } & CheckpointPlace)
  /** Answer: `CheckpointPage`. */
  | ({ do: "list" } & CheckpointQuery)
  /**
   * Answer: `PutAnswer`. Putting the same id again replaces checkpoint and metadata. `versions` are those that are new
   * with this checkpoint; one that is stored already stays as it is.
   */
  | ({ do: "put"; versions: ChannelVersion[] } & NewCheckpoint)
  /** Answer: null. An index below 0 replaces what is there; of the others the first one counts. */
  | ({ do: "writes"; id: string; writes: CheckpointWrite[] } & CheckpointPlace)
  /** Answer: null. */
  | { do: "delete"; thread: string }
);

/** The list at `version`, or undefined when a part of it is missing. */
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
  // Newest first: of an older part only what lies before the newer ones counts.
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

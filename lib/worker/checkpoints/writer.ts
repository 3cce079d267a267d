import type { ChannelVersions, Checkpoint, CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import type { CheckpointScope, NewCheckpoint } from "../../protocol/checkpoints.ts";
import { setNewest } from "../../rules/set-newest.ts";
import { trackChanges, wholeChange } from "./changes.ts";
import { type Head, type Heads, keyOf } from "./heads.ts";
import type { CheckpointRequests } from "./requests.ts";
import { dump, type HeldValue, type Serializer } from "./values.ts";

/** The number of scopes in one run whose newest checkpoint is held. Beyond them, a list is sent whole again. */
const MOST_HEADS = 256;

/** The resources that the reader and the writer of a run share. */
export interface CheckpointResources {
  serde: Serializer;
  requests: CheckpointRequests;
  heads: Heads;
}

export interface Writer {
  /** Lets the next checkpoint hold only what is new after this one. */
  continueFrom(head: Head): void;
  /** Marks a value that a task wrote: it may be an old item that the task has changed. */
  touch(value: unknown): void;
  /** Resolves when the checkpoint is sent, in order; with `waits`, when it is stored. */
  put(
    scope: CheckpointScope,
    parent: string | undefined,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<void>;
  /** Resolves when every checkpoint is stored; rejects if one could not be. */
  stored(): Promise<void>;
}

export interface WriterOptions {
  /** Serialises every item, to find those that were changed in place without a write. */
  exact: boolean;
  /** Stores a checkpoint before the graph continues. */
  waits: boolean;
}

export function openWriter({ serde, requests, heads }: CheckpointResources, { exact, waits }: WriterOptions): Writer {
  const changes = trackChanges(serde, exact);
  const pending = trackPending();
  /** The newest checkpoints of this run, keyed by scope and id. */
  const own = new Map<string, Head>();
  const continueFrom = (head: Head): void => setNewest(own, headKey(head, head.id), head, MOST_HEADS);

  return {
    continueFrom,
    stored: () => pending.ended(),
    touch: (value) => changes.touch(value),
    async put(scope, parent, { channel_values, ...rest }, metadata, newVersions) {
      const before = parent === undefined ? undefined : own.get(headKey(scope, parent));
      // All channels are serialised together, so that a checkpoint shows one moment.
      const finding = Object.entries(newVersions)
        .filter(([channel]) => channel_values[channel] !== undefined)
        .map(([channel, to]) => changes.of(channel, String(to), channel_values[channel], before?.values.get(channel)));
      const [checkpoint, about, ...found] = await Promise.all([dump(serde, rest), dump(serde, metadata), ...finding]);
      const put: NewCheckpoint = { ...scope, id: rest.id, parent, checkpoint: checkpoint.data, metadata: about.data };
      const store = async (): Promise<void> => {
        const answer = await requests.put({ ...put, versions: found.map(({ sent }) => sent) });
        if (!answer?.whole) return;
        const whole = await Promise.all(found.map((change) => wholeChange(serde, change)));
        await requests.put({ ...put, versions: whole });
      };
      pending.add(store());
      if (waits) await pending.ended();
      else pending.throwIfFailed();

      const versions = new Map(Object.entries(rest.channel_versions).map(([name, version]) => [name, String(version)]));
      const values = new Map<string, HeldValue>();
      for (const [channel, value] of before?.values ?? [])
        if (versions.get(channel) === value.version) values.set(channel, value);
      for (const { sent, held } of found) values.set(sent.channel, held);
      const head = { ...put, versions, values };
      if (before) own.delete(headKey(scope, before.id));
      continueFrom(head);
      if (!exact && isWhole(head, before, newVersions)) heads.set(head);
      else heads.delete(head);
    },
  };
}

/** Tracks work that nobody awaits yet, and remembers the first failure. */
function trackPending() {
  const works = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  const throwIfFailed = (): void => {
    if (failure) throw failure.error;
  };
  return {
    throwIfFailed,
    add(work: Promise<void>): void {
      const watched: Promise<void> = work
        .catch((error: unknown) => {
          failure ??= { error };
        })
        .finally(() => works.delete(watched));
      works.add(watched);
    },
    async ended(): Promise<void> {
      while (works.size > 0) await Promise.all(works);
      throwIfFailed();
    },
  };
}

function headKey(scope: CheckpointScope, id: string): string {
  return `${keyOf(scope)}\n${id}`;
}

/** Returns whether every value that the checkpoint names is held. A value that is not new was held before. */
function isWhole({ versions }: Head, before: Head | undefined, newVersions: ChannelVersions): boolean {
  return [...versions].every(
    ([channel, version]) => Object.hasOwn(newVersions, channel) || before?.versions.get(channel) === version,
  );
}

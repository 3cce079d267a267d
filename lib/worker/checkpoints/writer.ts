import type { ChannelVersions, Checkpoint, CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import type { CheckpointScope, CheckpointWrite, NewCheckpoint } from "../../protocol/checkpoints.ts";
import { setNewest } from "../../rules/set-newest.ts";
import { type ChannelChange, trackChanges, wholeChange } from "./changes.ts";
import { checkpointKeyOf, type Head, type Heads } from "./heads.ts";
import type { OwnNewest } from "./own-newest.ts";
import { trackPending } from "./pending.ts";
import type { CheckpointRequests } from "./requests.ts";
import { dump, type HeldValue, type Serializer } from "./values.ts";

/** The number of scopes in one run whose newest checkpoint is held. Beyond them, a list is sent whole again. */
const MOST_HEADS = 256;

/** The resources that the reader and the writer of a run share. */
export interface CheckpointResources {
  serde: Serializer;
  requests: CheckpointRequests;
  heads: Heads;
  newest: OwnNewest;
  /** The thread that only this run changes before its end. */
  thread: string | undefined;
}

export interface Writer {
  /**
   * Lets the next checkpoint hold only what is new after this one. `stays`: nobody else deletes its values before the
   * end of the run.
   */
  continueFrom(head: Head, stays: boolean): void;
  /** Lets `stored` wait for work that serialises values and then puts them. Returns the work. */
  prepare(work: Promise<void>): Promise<void>;
  /** Forgets all checkpoints, because the thread's were deleted. */
  forget(): void;
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
  /** Resolves when the writes of a task are sent, in order; with `waits`, when they are stored. */
  putWrites(scope: CheckpointScope, id: string, writes: CheckpointWrite[]): Promise<void>;
  /** Resolves when everything that the host has to answer is stored; rejects if anything could not be. */
  stored(): Promise<void>;
}

/** A checkpoint that a run has read or put. */
interface OwnHead {
  head: Head;
  /** Nobody else deletes its values before the end of the run. */
  isStored: boolean;
  /** Every value that it names is held. */
  isWhole: boolean;
}

export interface WriterOptions {
  /** Serialises every item, to find those that were changed in place without a write. */
  exact: boolean;
  /** Stores a checkpoint before the graph continues. */
  waits: boolean;
}

export function openWriter(
  { serde, requests, heads, newest, thread }: CheckpointResources,
  { exact, waits }: WriterOptions,
): Writer {
  const changes = trackChanges(serde, exact);
  const pending = trackPending();
  /** Puts and writes whose values are being serialised. What is read next must see them. */
  const preparing = trackPending();
  /** The newest checkpoints of this run, keyed by scope and id. */
  const own = new Map<string, OwnHead>();
  const set = (one: OwnHead): void => setNewest(own, checkpointKeyOf(one.head, one.head.id), one, MOST_HEADS);

  return {
    continueFrom: (head, stays) => set({ head, isStored: stays, isWhole: true }),
    forget: () => own.clear(),
    async stored() {
      await preparing.ended();
      await pending.ended();
      requests.throwIfRefused();
    },
    prepare(work) {
      preparing.add(work);
      return work;
    },
    touch: (value) => changes.touch(value),
    async put(scope, given, { channel_values, ...rest }, metadata, newVersions) {
      const from = given === undefined ? undefined : own.get(checkpointKeyOf(scope, given));
      const before = from?.head;
      const isAgain = given === rest.id;
      // A checkpoint that is put again keeps its parent.
      const parent = isAgain ? before?.parent : given;
      // All channels are serialised together, so that a checkpoint shows one moment.
      const finding = Object.entries(newVersions)
        .filter(([channel]) => channel_values[channel] !== undefined)
        .map(([channel, to]) => changes.of(channel, String(to), channel_values[channel], before?.values.get(channel)));
      const [checkpoint, about, ...found] = await Promise.all([dump(serde, rest), dump(serde, metadata), ...finding]);
      const put: NewCheckpoint = { ...scope, id: rest.id, parent, checkpoint: checkpoint.data, metadata: about.data };
      const versionsSent = found.map(({ sent }) => sent);
      const store = async (): Promise<void> => {
        const answer = await requests.put({ ...put, versions: versionsSent });
        if (!answer?.whole) return;
        const whole = await Promise.all(found.map((change) => wholeChange(serde, change)));
        await requests.put({ ...put, versions: whole });
      };
      const isBased = from?.isStored === true || versionsSent.every(({ value }) => !("items" in value) || !value.base);
      if (!waits && isBased && pending.isEmpty()) requests.tellPut({ ...put, versions: versionsSent });
      else pending.add(store());
      if (waits) await pending.ended();
      else pending.throwIfFailed();

      const head = headAfter(before, put, rest.channel_versions, found);
      if (before) own.delete(checkpointKeyOf(scope, before.id));
      const whole = isWhole(head, from, newVersions) && (!isAgain || before !== undefined);
      const isOwn = scope.thread === thread;
      set({ head, isStored: isOwn && isStored(head, from, newVersions), isWhole: whole });
      if (whole) heads.set(head);
      else heads.delete(head);
      tellNewest(newest, head, whole && isOwn, isAgain);
    },
    async putWrites(scope, id, writes) {
      if (scope.thread === thread) newest.write(scope, id, writes);
      if (waits || !pending.isEmpty()) await requests.putWrites({ ...scope, id, writes });
      else requests.tellWrites({ ...scope, id, writes });
    },
  };
}

function tellNewest(newest: OwnNewest, head: Head, isKnown: boolean, isAgain: boolean): void {
  if (!isKnown) newest.forget(head);
  else if (isAgain) newest.putAgain(head);
  else newest.put(head);
}

/** Returns what is held of a checkpoint that was put after `before`. */
function headAfter(
  before: Head | undefined,
  put: NewCheckpoint,
  channelVersions: Checkpoint["channel_versions"],
  found: readonly ChannelChange[],
): Head {
  const versions = new Map(Object.entries(channelVersions).map(([name, version]) => [name, String(version)]));
  const values = new Map<string, HeldValue>();
  for (const [channel, value] of before?.values ?? [])
    if (versions.get(channel) === value.version) values.set(channel, value);
  for (const { sent, held } of found) values.set(sent.channel, held);
  return { ...put, versions, values };
}

/** Returns whether every value that is held is new, or was stored before. */
function isStored({ values }: Head, from: OwnHead | undefined, newVersions: ChannelVersions): boolean {
  return from?.isStored === true || [...values.keys()].every((channel) => Object.hasOwn(newVersions, channel));
}

/** Returns whether every value that the checkpoint names is held. A value that is not new was held before, if all were. */
function isWhole({ versions }: Head, from: OwnHead | undefined, newVersions: ChannelVersions): boolean {
  return [...versions].every(
    ([channel, version]) =>
      Object.hasOwn(newVersions, channel) || (from?.isWhole === true && from.head.versions.get(channel) === version),
  );
}

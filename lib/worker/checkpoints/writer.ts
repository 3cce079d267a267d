import type { ChannelVersions, Checkpoint, CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import type { CheckpointPlace, NewCheckpoint } from "../../protocol/checkpoints.ts";
import { openChanges, wholeChange } from "./changes.ts";
import { type Head, type Heads, keyOf } from "./heads.ts";
import type { CheckpointQuestions } from "./questions.ts";
import { dump, type HeldValue, type Serializer } from "./values.ts";

/** Places of one run whose newest checkpoint is at hand; beyond them a list is written whole again. */
const PLACES = 256;

/** What reads and writes for a run. */
export interface Shared {
  serde: Serializer;
  questions: CheckpointQuestions;
  heads: Heads;
}

export interface Writer {
  /** The next checkpoint may say only what is new after this one. */
  goesOnFrom(head: Head): void;
  /** A task wrote this: it may be an old item that the task has changed. */
  touch(value: unknown): void;
  /** Resolves when it is on its way, in its order; with `waits` when it is stored. */
  put(
    place: CheckpointPlace,
    parent: string | undefined,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<void>;
  /** Resolves when all that was put is stored; rejects when something could not be. */
  stored(): Promise<void>;
}

export interface WriterOptions {
  /** Every item is written out, to find those that have changed without notice. */
  exact: boolean;
  /** A checkpoint is stored before the graph goes on. */
  waits: boolean;
}

export function openWriter({ serde, questions, heads }: Shared, { exact, waits }: WriterOptions): Writer {
  const changes = openChanges(serde, exact);
  const underway = openUnderway();
  /** By place and id. */
  const own = new Map<string, Head>();
  const goesOnFrom = (head: Head): void => {
    own.set(headKey(head, head.id), head);
    const [oldest] = own.keys();
    if (own.size > PLACES && oldest !== undefined) own.delete(oldest);
  };

  return {
    goesOnFrom,
    stored: () => underway.ended(),
    touch: (value) => changes.touch(value),
    async put(place, parent, { channel_values, ...rest }, metadata, newVersions) {
      const before = parent === undefined ? undefined : own.get(headKey(place, parent));
      // Begun together: what a checkpoint says is of one moment.
      const finding = Object.entries(newVersions)
        .filter(([channel]) => channel_values[channel] !== undefined)
        .map(([channel, to]) => changes.of(channel, String(to), channel_values[channel], before?.values.get(channel)));
      const [checkpoint, about, ...found] = await Promise.all([dump(serde, rest), dump(serde, metadata), ...finding]);
      const put: NewCheckpoint = { ...place, id: rest.id, parent, checkpoint: checkpoint.data, metadata: about.data };
      const store = async (): Promise<void> => {
        const answer = await questions.put({ ...put, versions: found.map(({ sent }) => sent) });
        if (!answer?.whole) return;
        const whole = await Promise.all(found.map((change) => wholeChange(serde, change)));
        await questions.put({ ...put, versions: whole });
      };
      underway.add(store());
      if (waits) await underway.ended();
      else underway.throwIfFailed();

      const versions = new Map(Object.entries(rest.channel_versions).map(([name, version]) => [name, String(version)]));
      const values = new Map<string, HeldValue>();
      for (const [channel, value] of before?.values ?? [])
        if (versions.get(channel) === value.version) values.set(channel, value);
      for (const { sent, held } of found) values.set(sent.channel, held);
      const head = { ...put, versions, values };
      if (before) own.delete(headKey(place, before.id));
      goesOnFrom(head);
      if (!exact && isWhole(head, before, newVersions)) heads.set(head);
      else heads.delete(head);
    },
  };
}

/** Work that was begun and is not waited for yet; the first failure is remembered. */
function openUnderway() {
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

function headKey(place: CheckpointPlace, id: string): string {
  return `${keyOf(place)}\n${id}`;
}

/** Whether all that the checkpoint names is at hand: what is not new was there before. */
function isWhole({ versions }: Head, before: Head | undefined, newVersions: ChannelVersions): boolean {
  return [...versions].every(
    ([channel, version]) => Object.hasOwn(newVersions, channel) || before?.versions.get(channel) === version,
  );
}

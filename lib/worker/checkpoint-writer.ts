import type { ChannelVersions, Checkpoint, CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import type { CheckpointPlace, NewCheckpoint } from "../protocol/checkpoints.ts";
import { openChanges, wholeChange } from "./checkpoint-changes.ts";
import { type Head, type Heads, keyOf } from "./checkpoint-heads.ts";
import type { CheckpointQuestions } from "./checkpoint-questions.ts";
import { dump, type HeldValue, type Serializer } from "./checkpoint-values.ts";

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
  put(
    place: CheckpointPlace,
    parent: string | undefined,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<void>;
}

/** `exact`: every item is written out, to find those that have changed without notice. */
export function openWriter({ serde, questions, heads }: Shared, exact: boolean): Writer {
  const changes = openChanges(serde, exact);
  /** By place and id. */
  const own = new Map<string, Head>();
  const goesOnFrom = (head: Head): void => {
    own.set(headKey(head, head.id), head);
    const [oldest] = own.keys();
    if (own.size > PLACES && oldest !== undefined) own.delete(oldest);
  };

  return {
    goesOnFrom,
    touch: (value) => changes.touch(value),
    async put(place, parent, { channel_values, ...rest }, metadata, newVersions) {
      const before = parent === undefined ? undefined : own.get(headKey(place, parent));
      // Begun together: what a checkpoint says is of one moment.
      const finding = Object.entries(newVersions)
        .filter(([channel]) => channel_values[channel] !== undefined)
        .map(([channel, to]) => changes.of(channel, String(to), channel_values[channel], before?.values.get(channel)));
      const [checkpoint, about, ...found] = await Promise.all([dump(serde, rest), dump(serde, metadata), ...finding]);
      const put: NewCheckpoint = { ...place, id: rest.id, parent, checkpoint: checkpoint.data, metadata: about.data };
      const answer = await questions.put({ ...put, versions: found.map(({ sent }) => sent) });
      if (answer?.whole) {
        const whole = await Promise.all(found.map((change) => wholeChange(serde, change)));
        await questions.put({ ...put, versions: whole });
      }

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

function headKey(place: CheckpointPlace, id: string): string {
  return `${keyOf(place)}\n${id}`;
}

/** Whether all that the checkpoint names is at hand: what is not new was there before. */
function isWhole({ versions }: Head, before: Head | undefined, newVersions: ChannelVersions): boolean {
  return [...versions].every(
    ([channel, version]) => Object.hasOwn(newVersions, channel) || before?.versions.get(channel) === version,
  );
}

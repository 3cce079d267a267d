/** Finds what changed in the value of a channel since the checkpoint before. */
import type { ChannelVersion } from "../../protocol/checkpoints.ts";
import { isObject } from "../../protocol/json.ts";
import { commonLength, dump, dumpItems, type HeldList, type HeldValue, type Serializer } from "./values.ts";

/** One channel of a checkpoint that is being put: the change that is sent, and the value that is then held. */
export interface ChannelChange {
  sent: ChannelVersion;
  held: HeldValue;
}

/** Finds changes. Everything is serialised before the first await, because the graph goes on meanwhile. */
export interface ChangeTracker {
  /** Marks a value that a task wrote: it may be an old item that the task has changed. */
  touch(value: unknown): void;
  of(channel: string, version: string, value: unknown, before: HeldValue | undefined): Promise<ChannelChange>;
}

interface NewList {
  items: readonly unknown[];
  /** The held list of the checkpoint before, if there is one. */
  base: { version: string; list: HeldList } | undefined;
}
type ListChange = { value: ChannelVersion["value"]; list: HeldList };

/** Tracks changes. `exact` serialises every item, to find those that were changed in place without a write. */
export function trackChanges(serde: Serializer, exact: boolean): ChangeTracker {
  const touched = new WeakSet<object>();
  const isTouched = (item: unknown): boolean => isReference(item) && touched.has(item);

  const byText = async ({ items, base }: NewList): Promise<ListChange> => {
    const texts = await dumpItems(serde, items);
    const keep = commonLength(base?.list.texts ?? [], texts);
    const list = { items, texts, size: lengthOf(texts) };
    return { value: partOf(base?.version, keep, texts.slice(keep)), list };
  };

  const byReference = async ({ items, base }: NewList): Promise<ListChange> => {
    const old = base?.list ?? { items: [], size: 0 };
    const keep = commonLength(old.items, items, isTouched);
    const fresh = items.slice(keep);
    const writing = dumpItems(serde, fresh);
    // An item that was just serialised counts as unchanged again.
    for (const item of fresh) if (isReference(item)) touched.delete(item);
    const texts = await writing;
    const kept = keep === 0 ? 0 : Math.round((old.size * keep) / old.items.length);
    return { value: partOf(base?.version, keep, texts), list: { items, size: kept + lengthOf(texts) } };
  };

  return {
    touch(value) {
      for (const one of [value, ...membersOf(value), ...membersOf(value).flatMap(membersOf)])
        if (isReference(one)) touched.add(one);
    },
    async of(channel, version, value, before) {
      if (!Array.isArray(value)) {
        const stored = await dump(serde, value);
        return { sent: { channel, version, value: stored }, held: { version, stored } };
      }
      const base = before && "list" in before ? before : undefined;
      const listed = await (exact ? byText : byReference)({ items: value.slice(), base });
      return { sent: { channel, version, value: listed.value }, held: { version, list: listed.list } };
    },
  };
}

/** Returns the same change as a whole list, without a base. */
export async function wholeChange(serde: Serializer, { sent, held }: ChannelChange): Promise<ChannelVersion> {
  if (!("list" in held)) return sent;
  const items = held.list.texts ?? (await dumpItems(serde, held.list.items));
  return { ...sent, value: { keep: 0, items } };
}

function partOf(base: string | undefined, keep: number, items: readonly string[]): ChannelVersion["value"] {
  return base === undefined || keep === 0 ? { keep: 0, items } : { base, keep, items };
}

function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

function isReference(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

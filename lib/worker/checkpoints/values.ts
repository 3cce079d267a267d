/** Converts channel values between a graph's form and the host's, with LangGraph's own serializer. */
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { readWithProto } from "./proto-members.ts";
import { type ChannelVersion, listAt, type StoredValue } from "../../protocol/checkpoints.ts";

export type Serializer = BaseCheckpointSaver["serde"];

/** A list as it was put or read. It holds the same objects, so new ones are found without serialising the old ones. */
export interface HeldList {
  items: readonly unknown[];
  /** The text of every item, kept if items may be changed without a write. */
  texts?: readonly string[];
  /** The approximate length of all texts. */
  size: number;
}

/** A held value. All but lists are loaded anew each time, so that no run can change them for another. */
export type HeldValue = { version: string } & ({ list: HeldList } | { stored: StoredValue });

export async function dump(serde: Serializer, value: unknown): Promise<StoredValue> {
  const [type, bytes] = await serde.dumpsTyped(value);
  return { type, data: Buffer.from(bytes).toString(type === "json" ? "utf8" : "base64") };
}

export async function load(serde: Serializer, { type, data }: StoredValue): Promise<unknown> {
  if (type === "json") return await readWithProto(data, (text) => serde.loadsTyped(type, text));
  const value: unknown = await serde.loadsTyped(type, Uint8Array.from(Buffer.from(data, "base64")));
  return value;
}

/** Returns the text of each item as it is in the list's text. Everything is serialised before the first await. */
export async function dumpItems(serde: Serializer, items: readonly unknown[]): Promise<string[]> {
  const lists = await Promise.all(items.map((item) => dump(serde, [item])));
  return lists.map(({ data }) => data.slice(1, -1));
}

/** Loads items. With `known`, equal texts become one object, and new texts are added to it. */
export async function loadItems(serde: Serializer, texts: readonly string[], known?: Map<string, unknown>) {
  const fresh = known ? [...new Set(texts)].filter((text) => !known.has(text)) : texts;
  const items = await load(serde, { type: "json", data: `[${fresh.join(",")}]` });
  // The text is a JSON array.
  const loaded = items as unknown[];
  if (!known) return loaded;
  for (const [index, text] of fresh.entries()) known.set(text, loaded[index]);
  return texts.map((text) => known.get(text));
}

/** Returns the value at a version as it was stored. A list comes as the texts of its items. */
export type StoredAt = (channel: string, version: string) => StoredValue | readonly string[] | undefined;

export function storedAt(versions: readonly ChannelVersion[]): StoredAt {
  const channels = new Map<string, Map<string, ChannelVersion["value"]>>();
  for (const { channel, version, value } of versions) {
    const known = channels.get(channel) ?? new Map<string, ChannelVersion["value"]>();
    channels.set(channel, known.set(version, value));
  }
  return (channel, version) => {
    const known = channels.get(channel);
    const value = known?.get(version);
    if (!value || !("items" in value)) return value;
    return listAt(version, (at) => {
      const part = known?.get(at);
      return part && "items" in part ? part : undefined;
    });
  };
}

/** Returns the number of items at the beginning that are the same, up to the first that is `changed`. */
export function commonLength(
  before: readonly unknown[],
  items: readonly unknown[],
  changed: (item: unknown) => boolean = () => false,
): number {
  const end = Math.min(before.length, items.length);
  let length = 0;
  while (length < end && before[length] === items[length] && !changed(items[length])) length++;
  return length;
}

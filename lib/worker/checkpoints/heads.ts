/** The newest checkpoints that this process holds: a thread that goes on here need not be read again. */
import type { CheckpointScope, NewCheckpoint } from "../../protocol/checkpoints.ts";
import type { HeldValue } from "./values.ts";

export interface Head extends NewCheckpoint {
  /** The version of each channel, as the checkpoint names it. */
  versions: ReadonlyMap<string, string>;
  /** The values of all channels that have one. */
  values: ReadonlyMap<string, HeldValue>;
}

/** The limit of what is held, in characters. It takes about as many bytes again. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** Holds the newest checkpoint of each scope, up to the limit. Only the host knows whether it is still the newest. */
export class Heads {
  readonly #heads = new Map<string, { head: Head; size: number }>();
  #size = 0;

  get(scope: CheckpointScope): Head | undefined {
    return this.#heads.get(keyOf(scope))?.head;
  }

  set(head: Head): void {
    this.delete(head);
    const size = sizeOf(head);
    this.#heads.set(keyOf(head), { head, size });
    this.#size += size;
    // The head that was set longest ago is first.
    for (const { head: oldest } of this.#heads.values()) {
      if (this.#size <= MOST_CHARACTERS) return;
      this.delete(oldest);
    }
  }

  delete(scope: CheckpointScope): void {
    const held = this.#heads.get(keyOf(scope));
    if (held && this.#heads.delete(keyOf(scope))) this.#size -= held.size;
  }

  forget(thread: string): void {
    for (const { head } of this.#heads.values()) if (head.thread === thread) this.delete(head);
  }
}

export function keyOf({ thread, ns }: CheckpointScope): string {
  return `${thread}\n${ns}`;
}

/** Returns the key of one checkpoint of a scope. */
export function checkpointKeyOf(scope: CheckpointScope, id: string): string {
  return `${keyOf(scope)}\n${id}`;
}

function sizeOf({ checkpoint, metadata, values }: Head): number {
  let size = checkpoint.length + metadata.length;
  for (const value of values.values()) size += "list" in value ? value.list.size : value.stored.data.length;
  return size;
}

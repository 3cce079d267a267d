/** Checkpoints that a process still has: a thread that goes on here need not be read again. */
import type { CheckpointPlace, NewCheckpoint } from "../../protocol/checkpoints.ts";
import type { HeldValue } from "./values.ts";

export interface Head extends NewCheckpoint {
  /** As the checkpoint names them. */
  versions: ReadonlyMap<string, string>;
  /** Of every channel that has a value. */
  values: ReadonlyMap<string, HeldValue>;
}

/** In characters of what is held, which takes about as many bytes again. */
const ROOM = 64 * 1024 * 1024;

/** The newest checkpoint of each place, as far as they have room. Whether it is still the newest the host knows. */
export class Heads {
  readonly #heads = new Map<string, { head: Head; weight: number }>();
  #weight = 0;

  get(place: CheckpointPlace): Head | undefined {
    return this.#heads.get(keyOf(place))?.head;
  }

  set(head: Head): void {
    this.delete(head);
    const weight = weightOf(head);
    this.#heads.set(keyOf(head), { head, weight });
    this.#weight += weight;
    // The one that was used longest ago is first.
    for (const { head: oldest } of this.#heads.values()) {
      if (this.#weight <= ROOM) return;
      this.delete(oldest);
    }
  }

  delete(place: CheckpointPlace): void {
    const held = this.#heads.get(keyOf(place));
    if (held && this.#heads.delete(keyOf(place))) this.#weight -= held.weight;
  }

  forget(thread: string): void {
    for (const { head } of this.#heads.values()) if (head.thread === thread) this.delete(head);
  }
}

export function keyOf({ thread, ns }: CheckpointPlace): string {
  return `${thread}\n${ns}`;
}

function weightOf({ checkpoint, metadata, values }: Head): number {
  let weight = checkpoint.length + metadata.length;
  for (const value of values.values()) weight += "list" in value ? value.list.weight : value.stored.data.length;
  return weight;
}

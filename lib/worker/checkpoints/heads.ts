/** The newest checkpoints that this process holds: a thread that goes on here need not be read again. */
import type { CheckpointPlace, NewCheckpoint } from "../../protocol/checkpoints.ts";
import type { HeldValue } from "./values.ts";

export interface Head extends NewCheckpoint {
  /** The version of each channel, as the checkpoint names it. */
  versions: ReadonlyMap<string, string>;
  /** The values of all channels that have one. */
  values: ReadonlyMap<string, HeldValue>;
}

/** The limit of what is held, in characters. It takes about as many bytes again. */
const MOST_CHARACTERS = 64 * 1024 * 1024;

/** Holds the newest checkpoint of each place, up to the limit. Only the host knows whether it is still the newest. */
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
    // The head that was set longest ago is first.
    for (const { head: oldest } of this.#heads.values()) {
      if (this.#weight <= MOST_CHARACTERS) return;
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

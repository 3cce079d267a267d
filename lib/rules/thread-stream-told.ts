import type { ThreadEvent } from "../protocol/thread-stream.ts";

/** An event of a thread that has no number yet. `event_id` is set where the protocol says what it has to be. */
export type Told = Pick<ThreadEvent, "method" | "namespace" | "node" | "name" | "data"> & { event_id?: string };

/** Undefined for what is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

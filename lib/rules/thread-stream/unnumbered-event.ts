import type { ThreadEvent } from "../../protocol/thread-stream.ts";

/** An event of a thread that has no number yet. `event_id` is set where the protocol prescribes it. */
export type UnnumberedEvent = Pick<ThreadEvent, "method" | "namespace" | "node" | "name" | "message_id" | "data"> & {
  event_id?: string;
};

/**
 * Requests from a running graph to its host, because a worker has no database and no key. Each kind of request is a
 * member of `HostAsk`; its answer is described there.
 */
import type { CheckpointAsk } from "./checkpoints.ts";
import type { StoreAsk } from "./store.ts";

export type HostAsk = CheckpointAsk | StoreAsk;

/** Origin of a request: a run under its fencing token, or a host's question that a graph is answering (`token` 0). */
export interface Asker {
  run: string;
  token: number;
}

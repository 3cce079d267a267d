/** Requests from a running graph to its host, because a worker has no database and no key. */
import type { CheckpointRequest } from "./checkpoints.ts";
import type { StoreRequest } from "./store.ts";

export type HostRequest = CheckpointRequest | StoreRequest;

/** Origin of a request: a run under its fencing token, or a host's question that a graph is answering (`token` 0). */
export interface RequestOrigin {
  run: string;
  token: number;
}

/** The host itself, which has no fencing token. */
export const HOST: RequestOrigin = { run: "", token: 0 };

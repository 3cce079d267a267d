/**
 * What a graph asks of its host while it runs: a worker holds no database and no key. Every kind of question has its
 * own member here; the answer of each is described beside it.
 */
import type { CheckpointAsk } from "./checkpoints.ts";
import type { StoreAsk } from "./store.ts";

export type HostAsk = CheckpointAsk | StoreAsk;

/** Who asks: a run under its fencing token, or a question of the host itself that a graph answers (`token` 0). */
export interface Asker {
  run: string;
  token: number;
}

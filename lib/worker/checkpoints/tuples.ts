/** Converts checkpoints from the host's form to LangGraph's. */
import type {
  Checkpoint,
  CheckpointMetadata,
  CheckpointPendingWrite,
  CheckpointTuple,
} from "@langchain/langgraph-checkpoint";
import type { CheckpointScope, CheckpointWrite, NewCheckpoint } from "../../protocol/checkpoints.ts";
import { configOf } from "./position.ts";
import type { CheckpointRequests } from "./requests.ts";
import { load, type Serializer } from "./values.ts";

/** The channel of what nodes send to nodes. Before version 4, a checkpoint left it to the writes of its parent. */
const TASKS = "__pregel_tasks";

export function tupleMaker(serde: Serializer, requests: CheckpointRequests) {
  return { toTuple, versionsOf };

  async function toTuple(
    stored: NewCheckpoint,
    writes: readonly CheckpointWrite[],
    values: Record<string, unknown>,
  ): Promise<CheckpointTuple> {
    const { thread, ns, id, parent } = stored;
    // LangGraph itself put this checkpoint.
    const checkpoint = { ...((await load(serde, json(stored.checkpoint))) as Checkpoint), channel_values: values };
    if (checkpoint.v < 4 && parent !== undefined) await addPendingSends({ thread, ns }, parent, checkpoint);
    return {
      config: configOf(thread, ns, id),
      checkpoint,
      metadata: (await load(serde, json(stored.metadata))) as CheckpointMetadata,
      ...(parent !== undefined && { parentConfig: configOf(thread, ns, parent) }),
      pendingWrites: await Promise.all(
        writes.map(async (write): Promise<CheckpointPendingWrite> => [
          write.task,
          write.channel,
          await load(serde, write),
        ]),
      ),
    };
  }

  async function addPendingSends(scope: CheckpointScope, parent: string, checkpoint: Checkpoint): Promise<void> {
    const answer = await requests.get(scope, parent, parent);
    const writes = answer && "same" in answer ? answer.writes : [];
    const sends = writes.filter((write) => write.channel === TASKS).map((write) => load(serde, write));
    checkpoint.channel_values[TASKS] = await Promise.all(sends);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] = versions.length > 0 ? versions.reduce((a, b) => (b > a ? b : a)) : 1;
  }

  /** Returns the versions as texts, because that is how the host names them. */
  async function versionsOf({ checkpoint }: NewCheckpoint): Promise<Map<string, string>> {
    const { channel_versions } = (await load(serde, json(checkpoint))) as Checkpoint;
    return new Map(Object.entries(channel_versions ?? {}).map(([channel, version]) => [channel, String(version)]));
  }
}

function json(data: string) {
  return { type: "json", data };
}

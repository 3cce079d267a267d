/**
 * The memory of one run that has no thread. It ends with the run, and suffices for `interrupt()`, breakpoints, stateful
 * subgraphs and the modes that show checkpoints. It keeps references where LangGraph's in-memory saver serialises, so
 * its cost cannot be measured (0.53 ms a run of one node with or without; 0.73 ms with `MemorySaver`).
 */
import type { RunnableConfig } from "@langchain/core/runnables";
import type {
  BaseCheckpointSaver,
  Checkpoint,
  CheckpointListOptions,
  CheckpointMetadata,
  CheckpointPendingWrite,
  CheckpointTuple,
  PendingWrite,
} from "@langchain/langgraph-checkpoint";
import type { RequestOrigin } from "../../protocol/host-requests.ts";
import type { RunOrder } from "../../protocol/worker.ts";
import { checkpointIdOf, configOf as configAt, SPECIAL_WRITES } from "./position.ts";
import type { LangGraph } from "../langgraph.ts";

/** Makes the checkpointer of one run, or of a request about a thread's state. */
export type NewCheckpointer = (
  whose: RequestOrigin & Pick<RunOrder, "durable" | "durability" | "head"> & { config?: RunOrder["config"] },
) => RunCheckpointer;

export interface RunCheckpointer extends BaseCheckpointSaver {
  /** Resolves when every checkpoint is stored; rejects if one could not be. */
  stored?(): Promise<void>;
}

interface SavedCheckpoint {
  tuple: CheckpointTuple;
  writes: Map<string, CheckpointPendingWrite>;
}

export function ephemeralCheckpointers({ BaseCheckpointSaver: Base }: LangGraph): () => BaseCheckpointSaver {
  class EphemeralCheckpointer extends Base {
    /** Saved checkpoints by thread and namespace, then by id, oldest first. */
    readonly #saved = new Map<string, Map<string, SavedCheckpoint>>();

    override getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
      const saved = this.#find(config);
      return Promise.resolve(saved && withWrites(saved));
    }

    override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
      const before = checkpointIdOf(options.before);
      const saved = [...(this.#saved.get(keyOf(config)) ?? [])].toReversed();
      const hits = saved.filter(([id]) => before === undefined || id < before);
      for (const [, hit] of hits.slice(0, options.limit)) yield await Promise.resolve(withWrites(hit));
    }

    override put(
      config: RunnableConfig,
      checkpoint: Checkpoint,
      metadata: CheckpointMetadata,
    ): Promise<RunnableConfig> {
      const { id } = checkpoint;
      const key = keyOf(config);
      const tuple: CheckpointTuple = { config: configOf(config, id), checkpoint, metadata };
      const parent = checkpointIdOf(config);
      if (parent !== undefined) tuple.parentConfig = configOf(config, parent);
      const past = this.#saved.get(key);
      // Only channels that are stored as differences need earlier checkpoints.
      const saved = past && metadata.counters_since_delta_snapshot ? past : new Map<string, SavedCheckpoint>();
      // A checkpoint that is saved again keeps its writes, as at the end of a run that saves only there.
      saved.set(id, { tuple, writes: past?.get(id)?.writes ?? new Map<string, CheckpointPendingWrite>() });
      this.#saved.set(key, saved);
      return Promise.resolve(tuple.config);
    }

    override putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
      const saved = this.#find(config);
      for (const [index, [channel, value]] of writes.entries()) {
        const key = SPECIAL_WRITES.has(channel) ? `${taskId} ${channel}` : `${taskId} ${index}`;
        if (SPECIAL_WRITES.has(channel) || !saved?.writes.has(key)) saved?.writes.set(key, [taskId, channel, value]);
      }
      return Promise.resolve();
    }

    override deleteThread(threadId: string): Promise<void> {
      for (const key of this.#saved.keys()) if (key.startsWith(`${threadId}\n`)) this.#saved.delete(key);
      return Promise.resolve();
    }

    #find(config: RunnableConfig): SavedCheckpoint | undefined {
      const id = checkpointIdOf(config);
      const saved = this.#saved.get(keyOf(config));
      return id === undefined ? [...(saved?.values() ?? [])].at(-1) : saved?.get(id);
    }
  }
  return () => new EphemeralCheckpointer();
}

function withWrites({ tuple, writes }: SavedCheckpoint): CheckpointTuple {
  return { ...tuple, pendingWrites: [...writes.values()] };
}

function keyOf({ configurable }: RunnableConfig): string {
  return `${configurable?.thread_id ?? ""}\n${configurable?.checkpoint_ns ?? ""}`;
}

function configOf({ configurable }: RunnableConfig, id: string): RunnableConfig {
  return configAt(configurable?.thread_id ?? "", configurable?.checkpoint_ns ?? "", id);
}

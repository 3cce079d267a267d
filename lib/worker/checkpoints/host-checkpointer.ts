/** The memory of a run that has a thread. The host keeps it, because a worker has no database. */
import type { RunnableConfig } from "@langchain/core/runnables";
import type {
  ChannelVersions,
  Checkpoint,
  CheckpointListOptions,
  CheckpointMetadata,
  CheckpointTuple,
  PendingWrite,
} from "@langchain/langgraph-checkpoint";
import type { RequestOrigin } from "../../protocol/host-requests.ts";
import type { CheckpointScope, CheckpointWrite } from "../../protocol/checkpoints.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Durability } from "../../protocol/runs.ts";
import type { RunOrder } from "../../protocol/worker.ts";
import type { HostRequests } from "../host-requests.ts";
import type { RunCheckpointer } from "./checkpointer.ts";
import { Heads } from "./heads.ts";
import { type OwnNewest, ownNewest } from "./own-newest.ts";
import { checkpointIdOf, configOf, SPECIAL_WRITES, textOf } from "./position.ts";
import { openReader } from "./reader.ts";
import { dump, type Serializer } from "./values.ts";
import { openWriter } from "./writer.ts";
import { checkpointRequests } from "./requests.ts";
import type { LangGraph } from "../langgraph.ts";

/** Makes the checkpointer of one run, or of one request about a thread. */
export type NewHostCheckpointer = (origin: RequestOrigin, options?: HostCheckpointerOptions) => RunCheckpointer;

export interface HostCheckpointerOptions extends Pick<RunOrder, "head"> {
  durability?: Durability;
  /** Members that are added to the metadata of every checkpoint: the run that made it, and its purpose. */
  metadata?: JsonObject;
  /** If set, `put` resolves only when the checkpoint is stored. Otherwise the host fails the run if it can't be. */
  waits?: boolean;
  /** The thread of a run, which only the run changes before its end. */
  thread?: string;
}

type HostCheckpointerSettings = Required<Omit<HostCheckpointerOptions, "thread" | "head">> &
  Pick<HostCheckpointerOptions, "thread" | "head">;

export function hostCheckpointers({ BaseCheckpointSaver: Base }: LangGraph, host: HostRequests): NewHostCheckpointer {
  const heads = new Heads();

  class HostCheckpointer extends Base {
    readonly #requests: ReturnType<typeof checkpointRequests>;
    readonly #reader: ReturnType<typeof openReader>;
    readonly #writer: ReturnType<typeof openWriter>;
    readonly #metadata: JsonObject;
    readonly #newest: OwnNewest;

    constructor(origin: RequestOrigin, { durability, metadata, waits, thread, head }: HostCheckpointerSettings) {
      super();
      this.#metadata = metadata;
      this.#newest = ownNewest(head);
      this.#requests = checkpointRequests(host, origin);
      const shared = { serde: this.serde, requests: this.#requests, heads, newest: this.#newest, thread };
      // LangGraph reports no writes of such a run, so nothing says which items a node has changed.
      this.#writer = openWriter(shared, { exact: durability === "exit", waits });
      this.#reader = openReader(shared, this.#writer, durability === "exit");
    }

    override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
      const scope = scopeOf(config);
      return scope && (await this.#reader.get(scope, checkpointIdOf(config)));
    }

    override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
      yield* this.#reader.list(queryOf(config, options));
    }

    override async put(
      config: RunnableConfig,
      checkpoint: Checkpoint,
      metadata: CheckpointMetadata,
      newVersions: ChannelVersions,
    ): Promise<RunnableConfig> {
      const scope = requireScope(config);
      const about = { ...this.#metadata, ...metadata };
      await this.#writer.prepare(this.#writer.put(scope, checkpointIdOf(config), checkpoint, about, newVersions));
      return configOf(scope.thread, scope.ns, checkpoint.id);
    }

    override async putWrites(config: RunnableConfig, writes: PendingWrite[], task: string): Promise<void> {
      const scope = requireScope(config);
      const id = checkpointIdOf(config);
      if (id === undefined) throw new Error("Writes belong to a checkpoint: there is no checkpoint_id in the config");
      for (const [, value] of writes) this.#writer.touch(value);
      const stored = storedWrites(this.serde, writes, task);
      await this.#writer.prepare(stored.then((values) => this.#writer.putWrites(scope, id, values)));
    }

    stored = (): Promise<void> => this.#writer.stored();

    override async deleteThread(thread: string): Promise<void> {
      heads.forget(thread);
      this.#newest.forgetAll();
      this.#writer.forget();
      await this.#requests.deleteThread(thread);
    }

    override getNextVersion(current: number | undefined): number {
      return nextVersion(current);
    }
  }
  return (origin, { durability = "async", metadata = {}, waits = true, thread, head } = {}) =>
    new HostCheckpointer(origin, { durability, metadata, waits, thread, head });
}

function storedWrites(serde: Serializer, writes: PendingWrite[], task: string): Promise<CheckpointWrite[]> {
  const one = async ([channel, value]: PendingWrite, position: number): Promise<CheckpointWrite> => {
    return { task, index: SPECIAL_WRITES.get(channel) ?? position, channel, ...(await dump(serde, value)) };
  };
  return Promise.all(writes.map(one));
}

/**
 * Returns a greater version, which no other branch of the thread uses: two branches that begin at one checkpoint differ
 * by their versions alone.
 */
function nextVersion(current: number | undefined): number {
  const branch = Math.floor(Math.random() * 1e12);
  return Number(`${Math.floor(current ?? 0) + 1}.${String(branch).padStart(12, "0")}`);
}

function queryOf(config: RunnableConfig, { before, limit, filter }: CheckpointListOptions) {
  return {
    thread: textOf(config, "thread_id"),
    ns: textOf(config, "checkpoint_ns"),
    id: checkpointIdOf(config),
    before: checkpointIdOf(before),
    limit,
    filter,
  };
}

function scopeOf(config: RunnableConfig): CheckpointScope | undefined {
  const thread = textOf(config, "thread_id");
  return thread === undefined ? undefined : { thread, ns: textOf(config, "checkpoint_ns") ?? "" };
}

function requireScope(config: RunnableConfig): CheckpointScope {
  const scope = scopeOf(config);
  if (!scope) throw new Error("Checkpoints belong to a thread: there is no thread_id in the config");
  return scope;
}

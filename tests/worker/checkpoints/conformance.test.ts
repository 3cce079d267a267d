/**
 * Runs LangGraph's own conformance suite against the host checkpointer. Every call is a run of a real worker process;
 * its requests cross the real channel and are answered from a real database.
 */
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";
import { deltaChannelHistoryTests, validate } from "@langchain/langgraph-checkpoint-validation";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callInRun } from "../../support/saver-calls.ts";
import { type WorkerWithDatabase, startWorkerWithDatabase } from "../../support/worker-with-database.ts";

// The suite takes these from the global scope, where vitest puts them with `globals`.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });

/** Lets the checkpointer of a run execute each call. */
class CheckpointerOfAWorker extends BaseCheckpointSaver {
  readonly #worker: WorkerWithDatabase;
  constructor(worker: WorkerWithDatabase) {
    super();
    this.#worker = worker;
  }

  async #call(method: string, ...args: unknown[]): Promise<unknown> {
    const [result] = await callInRun(this.#worker, [[method, ...args]]);
    return result;
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    return (await this.#call("getTuple", config)) as CheckpointTuple | undefined;
  }
  override async *list(config: RunnableConfig, options?: CheckpointListOptions): AsyncGenerator<CheckpointTuple> {
    yield* (await this.#call("list", config, options)) as CheckpointTuple[];
  }
  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    return (await this.#call("put", config, checkpoint, metadata, newVersions)) as RunnableConfig;
  }
  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    await this.#call("putWrites", config, writes, taskId);
  }
  override async deleteThread(threadId: string): Promise<void> {
    await this.#call("deleteThread", threadId);
  }
  override async getDeltaChannelHistory(
    options: Parameters<BaseCheckpointSaver["getDeltaChannelHistory"]>[0],
  ): ReturnType<BaseCheckpointSaver["getDeltaChannelHistory"]> {
    type History = Awaited<ReturnType<BaseCheckpointSaver["getDeltaChannelHistory"]>>;
    return (await this.#call("getDeltaChannelHistory", options)) as History;
  }
}

let worker: WorkerWithDatabase;
const initializer = {
  checkpointerName: "the checkpointer of a run",
  createCheckpointer: () => new CheckpointerOfAWorker(worker),
  /** The process keeps the checkpoints that it holds, which must not matter. */
  async destroyCheckpointer() {
    const { checkpoints } = worker;
    for (let page = await checkpoints.list({}); page.checkpoints[0]; page = await checkpoints.list({}))
      await checkpoints.deleteThread({ run: "host", token: 0 }, page.checkpoints[0].thread);
  },
};

beforeAll(async () => {
  worker = await startWorkerWithDatabase("threads", { saver: "./graphs.js:saver" });
});
afterAll(() => worker.stop());
validate(initializer);
deltaChannelHistoryTests(initializer);

/** Converts a run order to what LangGraph takes. */
import type { RunnableConfig } from "@langchain/core/runnables";
import type { BaseCheckpointSaver, BaseStore } from "@langchain/langgraph-checkpoint";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { Command as CommandRequest } from "../../protocol/runs.ts";
import type { RunOrder } from "../../protocol/worker.ts";
import type { NewCheckpointer } from "../checkpoints/checkpointer.ts";
import type { ChunkReader } from "./chunks.ts";
import type { Graph, LangGraph } from "../langgraph.ts";
import type { NewStore } from "../store/store.ts";

/** The resources that a graph gets besides its input. */
export interface RunResources {
  readonly newCheckpointer: NewCheckpointer;
  readonly newStore: NewStore;
}

export type RunOptions = NonNullable<Parameters<Graph["stream"]>[1]>;

/** Returns the caller's settings of the run in LangGraph's spelling. A graph's factory receives these, too. */
export function runConfig({ run, config, context }: RunOrder): RunnableConfig {
  const { tags, metadata, recursion_limit, max_concurrency, run_name } = config;
  return {
    runId: run,
    configurable: { thread_id: run, ...publicKeys(config.configurable) },
    ...(tags && { tags }),
    ...(metadata && { metadata }),
    ...(recursion_limit && { recursionLimit: recursion_limit }),
    ...(typeof max_concurrency === "number" && { maxConcurrency: max_concurrency }),
    ...(typeof run_name === "string" && { runName: run_name }),
    ...(context && { context }),
  };
}

/** Removes the keys that LangGraph uses internally, because callers must not set them. */
function publicKeys(configurable: JsonObject = {}): JsonObject {
  return Object.fromEntries(Object.entries(configurable).filter(([key]) => !key.startsWith("__")));
}

/**
 * Passes checkpointer and store with the call, so that nothing is set on a graph that other runs use at the same time.
 * LangGraph reads the checkpointer of a call from the key under which it passes one to subgraphs.
 */
export function runOptions(
  { store, checkpointer }: { store: BaseStore; checkpointer: BaseCheckpointSaver },
  config: RunnableConfig,
  { notes, subgraphs, interruptBefore, interruptAfter, durable, durability }: RunOrder,
  { modes, callbacks }: Pick<ChunkReader, "modes" | "callbacks">,
  signal: AbortSignal,
): RunOptions {
  return {
    ...config,
    configurable: { ...config.configurable, __pregel_checkpointer: checkpointer },
    durability: durable ? (durability ?? "async") : durabilityOf(modes),
    store,
    signal,
    streamMode: modes,
    subgraphs,
    // With this version, LangGraph streams short notes about checkpoints. It uses the option for nothing else.
    ...(notes && { version: "v2" }),
    ...(callbacks && { callbacks }),
    ...(interruptBefore && { interruptBefore }),
    ...(interruptAfter && { interruptAfter }),
  };
}

/** Saves steps only if they are to be shown, because nobody resumes at one. Saving costs 8 % of a short run. */
function durabilityOf(modes: readonly string[]): "async" | "exit" {
  return modes.includes("checkpoints") || modes.includes("debug") ? "async" : "exit";
}

/** Returns the input, or the command in its place. A run that is attempted again continues from its last checkpoint. */
export async function runInput(
  langgraph: LangGraph,
  { run, input, command, durable, attempt = 1 }: RunOrder,
  { configurable }: RunnableConfig,
  checkpointer: BaseCheckpointSaver,
): Promise<unknown> {
  if (durable && attempt > 1) {
    const threadConfig = { thread_id: configurable?.thread_id as unknown, checkpoint_ns: "" };
    const last = await checkpointer.getTuple({ configurable: threadConfig });
    const metadata: object = last?.metadata ?? {};
    if ("run_id" in metadata && metadata.run_id === run) return null;
  }
  if (!command) return input ?? null;
  // LangGraph would end such a run as a success that did nothing.
  if (!durable && command.resume !== undefined && command.resume !== null) {
    throw new Error("There is nothing to resume: the run has no thread");
  }
  return commandOf(langgraph, command);
}

/** Returns a command in LangGraph's own classes. */
export function commandOf({ Command, Send }: LangGraph, { resume, update, goto }: CommandRequest): unknown {
  const targets = [goto ?? []].flat().map((target: unknown) => {
    return isObject(target) && typeof target.node === "string" ? new Send(target.node, target.input) : String(target);
  });
  return new Command({ resume, update, goto: targets });
}

/** From an order to what LangGraph takes. */
import type { RunnableConfig } from "@langchain/core/runnables";
import type { BaseStore } from "@langchain/langgraph";
import { isObject, type JsonObject } from "../protocol/json.ts";
import type { RunOrder } from "../protocol/worker.ts";
import type { NewCheckpointer } from "./checkpointer.ts";
import type { ChunkReader } from "./chunks.ts";
import type { Graph, LangGraph } from "./langgraph.ts";

/** What the graphs of a process are given beside their input. */
export interface RunResources {
  readonly newCheckpointer: NewCheckpointer;
  readonly store: BaseStore;
}

export type RunOptions = NonNullable<Parameters<Graph["stream"]>[1]>;

/** What the caller says about the run, in the spelling of LangGraph; a graph's factory sees this much. */
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

/** Keys by which LangGraph talks to itself are not for callers. */
function publicKeys(configurable: JsonObject = {}): JsonObject {
  return Object.fromEntries(Object.entries(configurable).filter(([key]) => !key.startsWith("__")));
}

/**
 * Checkpointer and store go in by call, so that nothing is set on a graph that other runs use at the same time. LangGraph
 * takes the checkpointer of a call from the key by which it hands one to subgraphs.
 */
export function runOptions(
  { newCheckpointer, store }: RunResources,
  config: RunnableConfig,
  { subgraphs, interruptBefore, interruptAfter }: RunOrder,
  { modes, callbacks }: Pick<ChunkReader, "modes" | "callbacks">,
  signal: AbortSignal,
): RunOptions {
  return {
    ...config,
    configurable: { ...config.configurable, __pregel_checkpointer: newCheckpointer() },
    // Nobody comes back to a step in the middle, so it is only saved when it is to be shown: 8 % of a short run.
    durability: modes.includes("checkpoints") || modes.includes("debug") ? "async" : "exit",
    store,
    signal,
    streamMode: modes,
    subgraphs,
    ...(callbacks && { callbacks }),
    ...(interruptBefore && { interruptBefore }),
    ...(interruptAfter && { interruptAfter }),
  };
}

/** A command takes the place of an input. */
export function runInput({ Command, Send }: LangGraph, { input, command }: RunOrder): unknown {
  if (!command) return input ?? null;
  const { resume, update, goto } = command;
  // LangGraph would end such a run as a success, with nothing done.
  if (resume !== undefined && resume !== null) throw new Error("There is nothing to resume: the run has no thread");
  const targets = [goto ?? []].flat().map((target: unknown) => {
    return isObject(target) && typeof target.node === "string" ? new Send(target.node, target.input) : String(target);
  });
  return new Command({ resume, update, goto: targets });
}

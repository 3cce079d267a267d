/** Where a config of LangGraph points to. */
import type { RunnableConfig } from "@langchain/core/runnables";

/** A task writes these at most once, and the last one counts; of others, the first. By their place among its writes. */
export const SPECIAL_WRITES: ReadonlyMap<string, number> = new Map([
  ["__error__", -1],
  ["__scheduled__", -2],
  ["__interrupt__", -3],
  ["__resume__", -4],
]);

export function configOf(thread: unknown, namespace: unknown, id: string): RunnableConfig {
  return { configurable: { thread_id: thread, checkpoint_ns: namespace, checkpoint_id: id } };
}

export function checkpointIdOf(config: RunnableConfig | undefined): string | undefined {
  return textOf(config, "checkpoint_id") || undefined;
}

/** A member of `configurable`, if it is a string. */
export function textOf(config: RunnableConfig | undefined, key: string): string | undefined {
  const value: unknown = config?.configurable?.[key];
  return typeof value === "string" ? value : undefined;
}

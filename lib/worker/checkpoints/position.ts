/** Reads and writes the position in a config of LangGraph. */
import type { RunnableConfig } from "@langchain/core/runnables";

/** The indexes of writes that a task makes at most once. Of these, the last one counts; of other writes, the first. */
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

/** Returns a member of `configurable` if it is a string. */
export function textOf(config: RunnableConfig | undefined, key: string): string | undefined {
  const value: unknown = config?.configurable?.[key];
  return typeof value === "string" ? value : undefined;
}

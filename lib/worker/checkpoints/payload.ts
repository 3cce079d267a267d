import { isObject, type JsonObject } from "../../protocol/json.ts";

/** Returns a checkpoint as clients see it: without internal keys, and with its position spelled out. */
export function plainCheckpoint(payload: JsonObject): JsonObject {
  const { config, parentConfig, tasks, ...rest } = payload;
  return {
    config: plainConfig(config),
    parent_config: plainConfig(parentConfig),
    ...rest,
    tasks: Array.isArray(tasks) ? tasks.map(plainTask) : [],
    checkpoint: positionOf(config),
    parent_checkpoint: positionOf(parentConfig),
  };
}

function plainConfig(config: unknown): JsonObject {
  if (!isObject(config)) return { configurable: {} };
  const { callbacks: _, configurable, ...rest } = config;
  const entries = Object.entries(isObject(configurable) ? configurable : {});
  return { configurable: Object.fromEntries(entries.filter(([key]) => !key.startsWith("__"))), ...rest };
}

/** Adds the checkpoint of the subgraph to a task that is itself a graph. */
function plainTask(task: unknown): unknown {
  if (!isObject(task) || !isObject(task.state)) return task;
  const { state, ...rest } = task;
  const checkpoint = knownPositionOf(state);
  return checkpoint ? { ...rest, checkpoint } : task;
}

export function positionOf(config: unknown): JsonObject | null {
  const configurable = isObject(config) && isObject(config.configurable) ? config.configurable : {};
  const { thread_id, checkpoint_ns, checkpoint_id, checkpoint_map } = configurable;
  if (thread_id === undefined) return null;
  return {
    thread_id,
    checkpoint_ns: checkpoint_ns ?? "",
    checkpoint_id: checkpoint_id ?? null,
    checkpoint_map: checkpoint_map ?? null,
  };
}

/** Returns the position of a task's subgraph without unknown members: most often the checkpoint's id is unknown. */
export function knownPositionOf(config: unknown): JsonObject | null {
  const entries = Object.entries(positionOf(config) ?? {}).filter(([, value]) => value !== null);
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

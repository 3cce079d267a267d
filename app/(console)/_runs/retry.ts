import type { Run } from "#lib/protocol/runs.ts";
import type { JsonObject } from "#lib/protocol/json.ts";

/** Returns the request that starts a run like this one. */
export function retryRequest({ assistant_id, kwargs, multitask_strategy }: Run): JsonObject {
  const { input, command, config, context, stream_mode, subgraphs, interrupt_before, interrupt_after, webhook } =
    kwargs;
  return {
    assistant_id,
    input,
    command,
    config: userConfig(config),
    context,
    stream_mode,
    stream_subgraphs: subgraphs,
    // The events are stored, so that the page of the new run can show them.
    stream_resumable: true,
    interrupt_before,
    interrupt_after,
    webhook,
    multitask_strategy,
  };
}

/** Members that the platform adds to the configuration of every run. */
const ADDED =
  /^(?:__|langgraph_|(?:run_id|thread_id|user_id|graph_id|assistant_id|checkpoint_ns|created_by|user-agent)$)/;

function userConfig({ configurable, metadata, ...config }: Run["kwargs"]["config"]): JsonObject {
  return { ...config, configurable: own(configurable), metadata: own(metadata) };
}

function own(members: JsonObject = {}): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([key]) => !ADDED.test(key)));
}

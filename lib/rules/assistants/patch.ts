import type { Assistant, AssistantPatch } from "../../protocol/assistants.ts";

/** The assistant after a change: metadata merged member by member, other fields replaced, absent ones kept. */
export function applyPatch(assistant: Assistant, patch: AssistantPatch, now: string): Assistant {
  return {
    ...assistant,
    graph_id: patch.graph_id ?? assistant.graph_id,
    config: patch.config ?? assistant.config,
    context: patch.context ?? assistant.context,
    metadata: { ...assistant.metadata, ...patch.metadata },
    name: patch.name ?? assistant.name,
    description: patch.description ?? assistant.description,
    updated_at: now,
  };
}

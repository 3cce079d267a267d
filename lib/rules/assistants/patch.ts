import type { Assistant, AssistantPatch } from "../../protocol/assistants.ts";

/** Applies a change to an assistant: metadata is merged by member, other fields are replaced, absent ones are kept. */
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

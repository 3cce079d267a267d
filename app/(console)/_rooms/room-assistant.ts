import type { JsonObject } from "#lib/protocol/json.ts";

export interface RoomAssistant {
  /** The `assistant_id` for requests: the graph's name, or the id of an assistant that a user created. */
  readonly id: string;
  readonly name: string;
  /** The id by which threads and runs name the assistant. */
  readonly assistantId: string | undefined;
  readonly graph: string;
}

export function assistantOf(id: unknown, assistants: readonly RoomAssistant[]): RoomAssistant | undefined {
  return assistants.find((one) => one.assistantId === id || one.id === id);
}

/** Returns the names of the assistant and graph in a thread's metadata. */
export function namesOf(metadata: JsonObject, assistants: readonly RoomAssistant[]): { name: string; graph: string } {
  const found = assistantOf(metadata.assistant_id, assistants);
  const graph = typeof metadata.graph_id === "string" ? metadata.graph_id : (found?.graph ?? "");
  return { name: found?.name ?? graph, graph };
}

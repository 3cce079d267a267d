/** JSON Schemas of a graph's state, from what is known while it runs (spec/runs-api.md section 7.2). */
import type { GraphSchemas } from "../protocol/assistants.ts";
import { isObject, type JsonObject } from "../protocol/json.ts";
import type { Graph, LangGraph } from "./langgraph.ts";

type Schemas = Omit<GraphSchemas, "graph_id">;

/** Never fails: what cannot be read is null. */
export async function schemasOf(langgraph: LangGraph, graph: Graph): Promise<Schemas> {
  const read = await langgraph.zodSchemas().catch(() => undefined);
  const builder: unknown = "builder" in graph ? graph.builder : undefined;
  const names = isObject(builder) ? builder : {};
  const channels = (definition: unknown) => schemaOfChannels(langgraph, graph, definition);
  const context = attempt(() => read?.getConfigTypeSchema(graph)) ?? null;
  return {
    input_schema: describeMessages(attempt(() => read?.getInputTypeSchema(graph)) ?? channels(names._inputDefinition)),
    output_schema: describeMessages(
      attempt(() => read?.getOutputTypeSchema(graph)) ?? channels(names._outputDefinition),
    ),
    state_schema: describeMessages(attempt(() => read?.getStateTypeSchema(graph)) ?? channels(names._schemaDefinition)),
    config_schema: context,
    context_schema: context,
  };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Of annotations there are only the names, and which of them hold messages. */
function schemaOfChannels(langgraph: LangGraph, graph: Graph, definition: unknown): JsonObject | null {
  if (!isObject(definition)) return null;
  const channels = new Map<string, unknown>(Object.entries(graph.channels));
  const properties = Object.keys(definition).map((name): [string, JsonObject] => {
    const channel = channels.get(name);
    const holdsMessages = isObject(channel) && channel.operator === langgraph.messagesStateReducer;
    return [name, holdsMessages ? { langgraph_type: "messages" } : {}];
  });
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** LangGraph only marks the channels that hold messages; a client wants to know what to send. */
function describeMessages(schema: unknown): unknown {
  if (!isObject(schema) || !isObject(schema.properties)) return schema ?? null;
  const properties = Object.entries(schema.properties).map(([name, property]): [string, unknown] => {
    const marked = isObject(property) && property.langgraph_type === "messages" && !("type" in property);
    return [name, marked ? { ...MESSAGES, ...property } : property];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

const MESSAGES = {
  type: "array",
  items: {
    type: "object",
    properties: {
      type: { type: "string", enum: ["human", "ai", "system", "tool", "function", "remove"] },
      role: { type: "string", enum: ["user", "human", "assistant", "ai", "system", "tool"] },
      content: { anyOf: [{ type: "string" }, { type: "array", items: { type: "object" } }] },
      id: { type: "string" },
      name: { type: "string" },
      tool_call_id: { type: "string" },
      tool_calls: { type: "array", items: { type: "object" } },
    },
    required: ["content"],
  },
};

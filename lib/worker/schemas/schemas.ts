/** JSON Schemas of a graph's state: those known at runtime, completed by its types in the sources (docs/api/runs.md#schemas). */
import type { GraphSchemas } from "../../protocol/assistants.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import type { SourceTypes } from "../../protocol/worker.ts";
import type { Graph, LangGraph } from "../langgraph.ts";
import { MESSAGE, MESSAGE_DEFINITIONS, MESSAGES } from "./messages.ts";

type Schemas = Omit<GraphSchemas, "graph_id">;
/** The part of a graph that is read here. Subgraphs come as the superclass of a compiled graph. */
type DescribedGraph = Pick<Graph, "channels">;

/** Returns null for each schema that cannot be read. `types` is called only if the graph itself says too little. */
export async function schemasOf(
  langgraph: LangGraph,
  graph: DescribedGraph,
  types: () => Promise<SourceTypes>,
): Promise<Schemas> {
  const read = await langgraph.zodSchemas().catch(() => undefined);
  const input = attempt(() => read?.getInputTypeSchema(graph));
  const output = attempt(() => read?.getOutputTypeSchema(graph));
  const state = attempt(() => read?.getStateTypeSchema(graph));
  const context = attempt(() => read?.getConfigTypeSchema(graph));

  // Annotations have no types at runtime, and do not say whether there is a context.
  const typed = input === undefined || output === undefined || state === undefined ? await types() : {};
  const names = definitionsOf(graph);
  const channels = (definition: unknown, type: JsonObject | undefined) =>
    schemaOfChannels(langgraph, graph, definition, type);
  const config = document(context ?? (hasMembers(typed.context) ? typed.context : null));
  return {
    input_schema: document(input ?? channels(names.input, typed.input)),
    output_schema: document(output ?? channels(names.output, typed.output)),
    state_schema: document(state ?? channels(names.state, typed.state)),
    config_schema: config,
    context_schema: config,
  };
}

/** Returns whether a graph takes chat messages. */
export function takesMessages(graph: DescribedGraph): boolean {
  const { input } = definitionsOf(graph);
  return isObject(input) && Object.hasOwn(input, "messages");
}

/** Returns whether an object has members. The context of a graph that has none is an object without any. */
function hasMembers(schema: JsonObject | undefined): boolean {
  return isObject(schema?.properties) && Object.keys(schema.properties).length > 0;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Returns the channels of each side of a graph, which its builder keeps. Only state graphs have them. */
function definitionsOf(graph: DescribedGraph): Record<"input" | "output" | "state", unknown> {
  const builder: unknown = "builder" in graph ? graph.builder : undefined;
  const kept = isObject(builder) ? builder : {};
  return {
    input: kept._inputDefinition,
    output: kept._outputDefinition,
    state: kept._schemaDefinition,
  };
}

function holdsMessages(langgraph: LangGraph, graph: DescribedGraph, name: string): boolean {
  const channel: unknown = new Map<string, unknown>(Object.entries(graph.channels)).get(name);
  return isObject(channel) && channel.operator === langgraph.messagesStateReducer;
}

/** Describes annotated channels. The graph knows their names and which hold messages; the source has their types. */
function schemaOfChannels(
  langgraph: LangGraph,
  graph: DescribedGraph,
  definition: unknown,
  type: JsonObject = {},
): JsonObject | null {
  if (!isObject(definition)) return "type" in type || "anyOf" in type ? type : null;
  const typed = isObject(type.properties) ? type.properties : {};
  const names = Object.keys(definition);
  const properties = names.map((name): [string, unknown] => {
    const known = Object.hasOwn(typed, name) ? typed[name] : {};
    return [
      name,
      holdsMessages(langgraph, graph, name) ? { ...describedBy(known), langgraph_type: "messages" } : known,
    ];
  });
  const required = Array.isArray(type.required) ? type.required.filter((name) => names.includes(String(name))) : [];
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    ...(type.$defs ? { $defs: type.$defs } : {}),
  };
}

/** Returns the author's description of a property, which stays whatever its schema. */
function describedBy(property: unknown): JsonObject {
  return isObject(property) && typeof property.description === "string" ? { description: property.description } : {};
}

/** The dialect of the schemas from types and from zod. */
const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Returns a schema that is complete: it names its dialect, and contains the definitions to which it refers. */
function document(schema: unknown): unknown {
  if (!isObject(schema)) return null;
  const described = describeMessages(schema);
  const definitions = JSON.stringify(described).includes(JSON.stringify(MESSAGE)) ? MESSAGE_DEFINITIONS : undefined;
  const $defs = isObject(described.$defs) ? described.$defs : {};
  return { $schema: DIALECT, ...described, ...(definitions && { $defs: { ...$defs, ...definitions } }) };
}

/** Completes channels of messages. LangGraph only marks them, but a client has to know what to send. */
function describeMessages(schema: JsonObject): JsonObject {
  if (!isObject(schema.properties)) return schema;
  const properties = Object.entries(schema.properties).map(([name, property]): [string, unknown] => {
    const marked = isObject(property) && property.langgraph_type === "messages" && !("type" in property);
    return [name, marked ? { ...MESSAGES, ...property } : property];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

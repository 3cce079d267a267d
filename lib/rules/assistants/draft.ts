import type { Assistant } from "../../protocol/assistants.ts";
import { isObject, type JsonObject } from "../../protocol/json.ts";
import { isSame } from "../forms/same-value.ts";

/** The members of an assistant that a person edits. */
export interface AssistantDraft {
  readonly name: string;
  readonly description: string;
  readonly graph_id: string;
  readonly context: unknown;
  readonly config: unknown;
  readonly metadata: unknown;
}

export function draftOf(assistant: Pick<Assistant, keyof AssistantDraft>): AssistantDraft {
  const { name, description, graph_id, context, config, metadata } = assistant;
  return { name, description: description ?? "", graph_id, context, config, metadata };
}

/** Returns the members that differ, for the body of `PATCH`. A removed value is sent as an empty object. */
export function changesOf(before: AssistantDraft, after: AssistantDraft): Partial<AssistantDraft> {
  const names = ["name", "description", "graph_id", "context", "config", "metadata"] as const;
  return Object.fromEntries(
    names
      .filter((name) => !isSame(before[name], after[name]))
      .map((name): [string, unknown] => [name, after[name] === undefined ? {} : after[name]]),
  );
}

/** Returns the schema of an assistant's `config`, with the graph's own schema for `configurable`. */
export function configSchema(configurable: unknown): JsonObject {
  const { $defs, definitions, ...own } = isObject(configurable) ? configurable : {};
  return {
    type: "object",
    properties: {
      configurable: Object.keys(own).length > 0 ? own : { type: "object" },
      recursion_limit: {
        type: "integer",
        minimum: 1,
        maximum: 10_000,
        description: "The most steps of a run; 25 when it is not set.",
      },
      tags: { type: "array", items: { type: "string", maxLength: 100 } },
      metadata: { type: "object", description: "Goes into the metadata of each run." },
    },
    additionalProperties: true,
    ...(isObject($defs) && { $defs }),
    ...(isObject(definitions) && { definitions }),
  };
}

/** Members that differ between any two runs: ids. */
const IDS = new Set(["id", "tool_call_id", "run_id", "thread_id"]);

/** Returns a final state without the ids of its messages, so that two runs are compared by what they say. */
export function comparableState(values: unknown): unknown {
  if (!isObject(values) || !Array.isArray(values.messages)) return values;
  return { ...values, messages: values.messages.map(withoutIds) };
}

function withoutIds(message: unknown): unknown {
  if (!isObject(message)) return message;
  const members = Object.entries(message).filter(([name]) => !IDS.has(name));
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      name === "tool_calls" && Array.isArray(value) ? value.map(withoutIds) : value,
    ]),
  );
}

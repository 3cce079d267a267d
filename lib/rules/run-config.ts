import type { Assistant } from "../protocol/assistants.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { RunConfig, RunCreate } from "../protocol/runs.ts";

const DEFAULT_RECURSION_LIMIT = 25;

/** Headers that never reach a run: they are secrets or the platform's own. */
const PRIVATE_HEADERS = new Set(["x-api-key", "x-tenant-id", "x-service-key"]);

const PLATFORM_HEADER = /^x-(forwarded|graphlib|middleware|invoke)-/;

/** The caller's `x-*` headers and user agent, by lower-case name, for the run's `configurable`. */
export function configurableHeaders(headers: Iterable<[string, string]>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (key === "user-agent" || (key.startsWith("x-") && !PRIVATE_HEADERS.has(key) && !PLATFORM_HEADER.test(key))) {
      kept[key] = value;
    }
  }
  return kept;
}

export interface RunIdentity {
  run_id: string;
  thread_id: string;
}

/** What the graph is called with: assistant < headers < request, and the run's own ids over all. */
export function effectiveConfig(
  assistant: Assistant,
  request: RunCreate,
  identity: RunIdentity,
  headers: Record<string, string>,
): RunConfig & { recursion_limit: number; configurable: JsonObject; metadata: JsonObject } {
  const base: RunConfig = assistant.config;
  const ids = { ...identity, graph_id: assistant.graph_id, assistant_id: assistant.assistant_id };
  return {
    ...base,
    ...request.config,
    tags: [...(base.tags ?? []), ...(request.config?.tags ?? [])],
    recursion_limit: request.config?.recursion_limit ?? base.recursion_limit ?? DEFAULT_RECURSION_LIMIT,
    configurable: { ...base.configurable, ...headers, ...request.config?.configurable, ...ids },
    metadata: { ...assistant.metadata, ...base.metadata, ...request.config?.metadata, ...request.metadata, ...ids },
  };
}

/** The assistant's context with the request's members over it. */
export function effectiveContext(assistant: Assistant, request: RunCreate): JsonObject | undefined {
  const context = { ...assistant.context, ...request.context };
  return Object.keys(context).length > 0 ? context : undefined;
}

import type { Assistant } from "../../protocol/assistants.ts";
import type { AuthUser } from "../../protocol/auth.ts";
import type { HeaderRule } from "../../protocol/http-config.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { RunConfig, RunCreate } from "../../protocol/runs.ts";
import { AUTH_KEY, authConfigurable } from "../auth.ts";
import { matchesGlob } from "../text/glob.ts";

const DEFAULT_RECURSION_LIMIT = 25;

/** Secrets: such a header goes to a run only where its name is written out in full. */
const PRIVATE_HEADERS = new Set([
  "x-api-key",
  "x-tenant-id",
  "x-service-key",
  "authorization",
  "proxy-authorization",
  "cookie",
]);

const PLATFORM_HEADER = /^x-(forwarded|graphlib|middleware|invoke)-/;

/**
 * The caller's headers for the run's `configurable`, by lower-case name: what `includes` names (all `x-*` and the user
 * agent when it is left out) without what `excludes` names.
 */
export function configurableHeaders(
  headers: Iterable<[string, string]>,
  { includes, excludes = [] }: Partial<HeaderRule> = {},
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (PLATFORM_HEADER.test(key) || excludes.some((pattern) => matchesGlob(pattern, key))) continue;
    if (includes ? isIncluded(key, includes) : isUsual(key)) kept[key] = value;
  }
  return kept;
}

function isUsual(key: string): boolean {
  return (key.startsWith("x-") && !PRIVATE_HEADERS.has(key)) || key === "user-agent";
}

function isIncluded(key: string, includes: readonly string[]): boolean {
  return includes.some((pattern) =>
    PRIVATE_HEADERS.has(key) ? pattern.toLowerCase() === key : matchesGlob(pattern, key),
  );
}

export interface RunIdentity {
  run_id: string;
  thread_id: string;
}

/** What the graph is called with: assistant < thread < headers < request, and the run's own ids over all. */
export function effectiveConfig(
  assistant: Assistant,
  request: RunCreate,
  identity: RunIdentity,
  headers: Record<string, string>,
  thread?: { config: RunConfig; metadata: JsonObject },
  user?: AuthUser,
): RunConfig & { recursion_limit: number; configurable: JsonObject; metadata: JsonObject } {
  const base: RunConfig = assistant.config;
  const ids = { ...identity, graph_id: assistant.graph_id, assistant_id: assistant.assistant_id };
  return {
    ...base,
    ...request.config,
    tags: [...(base.tags ?? []), ...(request.config?.tags ?? [])],
    recursion_limit: request.config?.recursion_limit ?? base.recursion_limit ?? DEFAULT_RECURSION_LIMIT,
    configurable: {
      ...withoutUser({
        ...base.configurable,
        ...thread?.config.configurable,
        ...headers,
        ...request.config?.configurable,
      }),
      ...ids,
      ...authConfigurable(user),
    },
    metadata: {
      ...assistant.metadata,
      ...base.metadata,
      ...thread?.metadata,
      ...request.config?.metadata,
      ...request.metadata,
      ...ids,
    },
  };
}

/** Members that name one run, or a place in its thread. */
const OF_ONE_RUN = /^(?:(?:thread|run|graph|assistant)_id|checkpoint_\w+|__.*)$/;

/** Picks what a thread keeps of a run's `configurable`, for its later runs and for calls about its state. */
export function keptConfigurable({ config }: Pick<RunCreate, "config">): JsonObject {
  const members = Object.entries(withoutUser(config?.configurable ?? {}));
  return Object.fromEntries(members.filter(([key]) => !OF_ONE_RUN.test(key)));
}

/** Who started a run is not for callers to say. */
function withoutUser(configurable: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(configurable).filter(([key]) => !AUTH_KEY.test(key)));
}

/** The assistant's context with the request's members over it. */
export function effectiveContext(assistant: Assistant, request: RunCreate): JsonObject | undefined {
  const context = { ...assistant.context, ...request.context };
  return Object.keys(context).length > 0 ? context : undefined;
}

import type { Assistant } from "../../protocol/assistants.ts";
import type { AuthUser } from "../../protocol/auth.ts";
import type { HeaderRule } from "../../protocol/http-config.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { RunConfig, RunCreate } from "../../protocol/runs.ts";
import { AUTH_KEY, authConfigurable } from "../auth.ts";
import { matchesGlob } from "../text/glob.ts";

const DEFAULT_RECURSION_LIMIT = 25;

/** The headers with secrets. A run receives them only when the configuration lists their full name. */
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
 * Returns the caller's headers for the run's `configurable`, keyed by lower-case name: those that `includes` matches
 * (all `x-*` and the user agent when it is absent) without those that `excludes` matches.
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

/** Merges the config of a run. Later sources win: assistant, thread, headers, request, the run's own ids. */
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

/** Members that identify one run or a checkpoint of its thread. */
const OF_ONE_RUN = /^(?:(?:thread|run|graph|assistant)_id|checkpoint_\w+|__.*)$/;

/** Returns what a thread keeps of a run's `configurable`, for its later runs and for requests about its state. */
export function keptConfigurable({ config }: Pick<RunCreate, "config">): JsonObject {
  const members = Object.entries(withoutUser(config?.configurable ?? {}));
  return Object.fromEntries(members.filter(([key]) => !OF_ONE_RUN.test(key)));
}

/** Removes the members that name the authenticated user, which a caller must not set. */
function withoutUser(configurable: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(configurable).filter(([key]) => !AUTH_KEY.test(key)));
}

/** Merges the assistant's context with that of the request, whose members win. */
export function effectiveContext(assistant: Assistant, request: RunCreate): JsonObject | undefined {
  const context = { ...assistant.context, ...request.context };
  return Object.keys(context).length > 0 ? context : undefined;
}

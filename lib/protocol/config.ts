import * as z from "zod";
import { CardConfig } from "./agent-card.ts";
import { OpenapiSecurity } from "./security-schemes.ts";
import { StoreConfig } from "./store.ts";
import { WebhooksConfig } from "./webhooks.ts";
import { nullish } from "./fields.ts";
import { HttpConfig } from "./http-config.ts";
import { isObject } from "./json.ts";
import { compareVersions, parseVersion, type Version } from "./versions.ts";

/** Schema of `"./src/agent.ts:graph"`: a file relative to the configuration, a colon, an export (empty: `default`). */
const GraphPath = z
  .string()
  .regex(/^[^:]+:/, 'expected "./file.ts:export"')
  .max(1024);

export const GraphEntry = z
  .union([
    GraphPath,
    z.looseObject({
      path: GraphPath,
      description: z.string().optional(),
      /** Content of the agent cards of its assistants. */
      a2a: nullish(CardConfig),
    }),
  ])
  .transform((entry) => (typeof entry === "string" ? { path: entry, description: undefined, a2a: undefined } : entry));
export type GraphEntry = z.infer<typeof GraphEntry>;

export const AuthConfig = z.looseObject({
  path: GraphPath,
  /**
   * Applies to servers without a key. `true`: everybody must authenticate. `false`: any request with the header
   * `x-auth-scheme: langsmith` is admitted as a studio user. Absent: only the console's own session is.
   */
  disable_studio_auth: nullish(z.boolean()),
  /** Cache of authenticated callers. */
  cache: nullish(
    z.looseObject({
      /** Headers that identify a caller. */
      cache_keys: nullish(z.array(z.string().min(1).toLowerCase())).transform((keys) => keys ?? []),
      ttl_seconds: nullish(z.number().positive()).transform((seconds) => seconds ?? 60),
      max_size: nullish(z.int().min(1)).transform((size) => size ?? 1000),
    }),
  ),
  /** Authentication schemes to show in agent cards. */
  openapi: nullish(OpenapiSecurity),
});
export type AuthConfig = z.infer<typeof AuthConfig>;

/** Interval at which expired data is deleted; half a minute by default. */
const sweep_interval_minutes = nullish(z.number().positive());

/** Default time to live of threads, in minutes. */
export const CheckpointerConfig = z.looseObject({
  ttl: nullish(
    z.looseObject({
      strategy: z.enum(["delete", "keep_latest"]).default("delete"),
      default_ttl: nullish(z.number().positive()),
      sweep_interval_minutes,
      /** The most threads that one sweep deletes. */
      sweep_limit: nullish(z.int().min(1).max(100_000)),
    }),
  ),
});

/** The first server version with Agent2Agent. It is disabled for applications written for an older version. */
export const A2A_SINCE: Version = [0, 4, 21];

/** Schema of `graphlib.json` or `langgraph.json`. Unknown keys are kept and ignored. */
export const AppConfig = z
  .looseObject({
    graphs: z
      .unknown()
      .refine((graphs) => !isObject(graphs) || !Object.hasOwn(graphs, "__proto__"), "a graph can't be named __proto__")
      .pipe(
        z
          .record(z.string().min(1).max(128), GraphEntry)
          .refine((graphs) => Object.keys(graphs).length > 0, "expected at least one graph"),
      ),
    /** Path of a `.env` file, values by name, or names of variables to copy from the server's environment. */
    env: z.union([z.string(), z.record(z.string(), z.coerce.string()), z.array(z.string())]).default({}),
    node_version: z.string().optional(),
    /** Version of the server for which the application was written. */
    api_version: z.string().optional(),
    checkpointer: nullish(CheckpointerConfig),
    store: StoreConfig.optional(),
    webhooks: WebhooksConfig.optional(),
    http: HttpConfig.prefault({}),
    /** The application's own authentication of callers. */
    auth: nullish(AuthConfig),
  })
  .overwrite((config) => {
    const version = parseVersion(config.api_version ?? "");
    const isOlder = version !== undefined && compareVersions(version, A2A_SINCE) < 0;
    return isOlder ? { ...config, http: { ...config.http, disable_a2a: true } } : config;
  });
export type AppConfig = z.infer<typeof AppConfig>;

/** Splits `file:export` at the first colon; an empty export means `default`. */
export function parseGraphPath(path: string): { file: string; exportName: string } {
  const colon = path.indexOf(":");
  return { file: path.slice(0, colon), exportName: path.slice(colon + 1) || "default" };
}

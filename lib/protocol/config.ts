import * as z from "zod";
import { CardConfig } from "./agent-card.ts";
import { OpenapiSecurity } from "./security-schemes.ts";
import { StoreConfig } from "./store.ts";
import { WebhooksConfig } from "./webhooks.ts";
import { nullish } from "./fields.ts";
import { HttpConfig } from "./http-config.ts";
import { compareVersions, parseVersion, type Version } from "./versions.ts";

/** `"./src/agent.ts:graph"`: a file relative to the configuration file, a colon, an export name (empty: `default`). */
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
      /** What the agent cards of its assistants say. */
      a2a: nullish(CardConfig),
    }),
  ])
  .transform((entry) => (typeof entry === "string" ? { path: entry, description: undefined, a2a: undefined } : entry));
export type GraphEntry = z.infer<typeof GraphEntry>;

export const AuthConfig = z.looseObject({
  path: GraphPath,
  /**
   * `true`: everybody is asked who they are. `false`: whoever sends `x-auth-scheme: langsmith` is let in as a studio user,
   * where the server has no key. Left out: not so.
   */
  disable_studio_auth: nullish(z.boolean()),
  /** Who has been recognised once is not asked again for a while. */
  cache: nullish(
    z.looseObject({
      /** The headers that tell callers apart. */
      cache_keys: nullish(z.array(z.string().min(1).toLowerCase())).transform((keys) => keys ?? []),
      ttl_seconds: nullish(z.number().positive()).transform((seconds) => seconds ?? 60),
      max_size: nullish(z.int().min(1)).transform((size) => size ?? 1000),
    }),
  ),
  /** How callers show who they are, for agent cards. */
  openapi: nullish(OpenapiSecurity),
});
export type AuthConfig = z.infer<typeof AuthConfig>;

/** How often what has expired is deleted; every half minute when left out. */
const sweep_interval_minutes = nullish(z.number().positive());

/** How long threads are kept that say nothing of it themselves; in minutes. */
export const CheckpointerConfig = z.looseObject({
  ttl: nullish(
    z.looseObject({
      strategy: z.enum(["delete", "keep_latest"]).default("delete"),
      default_ttl: nullish(z.number().positive()),
      sweep_interval_minutes,
      /** Threads deleted in one go. */
      sweep_limit: nullish(z.int().min(1).max(100_000)),
    }),
  ),
});

/** Servers speak Agent2Agent from this version on: what was written for an older one does not. */
export const A2A_SINCE: Version = [0, 4, 21];

/** `graphlib.json` or its twin `langgraph.json`. Unknown keys are kept and ignored. */
export const AppConfig = z
  .looseObject({
    graphs: z
      .record(z.string().min(1).max(128), GraphEntry)
      .refine((graphs) => Object.keys(graphs).length > 0, "expected at least one graph"),
    /** A path to a `.env` file, values by name, or the names to take from the server's own environment. */
    env: z.union([z.string(), z.record(z.string(), z.coerce.string()), z.array(z.string())]).default({}),
    node_version: z.string().optional(),
    /** Of the server that the application was written for. */
    api_version: z.string().optional(),
    checkpointer: nullish(CheckpointerConfig),
    store: StoreConfig.optional(),
    webhooks: WebhooksConfig.optional(),
    http: HttpConfig.prefault({}),
    /** The application's own authentication, of its deployment's callers. */
    auth: nullish(AuthConfig),
  })
  .overwrite((config) => {
    const version = parseVersion(config.api_version ?? "");
    const isOlder = version !== undefined && compareVersions(version, A2A_SINCE) < 0;
    return isOlder ? { ...config, http: { ...config.http, disable_a2a: true } } : config;
  });
export type AppConfig = z.infer<typeof AppConfig>;

/** The names under which the configuration is looked up, in this order. */
export const configFileNames = ["graphlib.json", "langgraph.json"] as const;

/** Splits `file:export` at the first colon; an empty export means `default`. */
export function parseGraphPath(path: string): { file: string; exportName: string } {
  const colon = path.indexOf(":");
  return { file: path.slice(0, colon), exportName: path.slice(colon + 1) || "default" };
}

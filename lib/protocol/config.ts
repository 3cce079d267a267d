import * as z from "zod";
import { StoreConfig } from "./store.ts";
import { WebhooksConfig } from "./webhooks.ts";
import { nullish } from "./fields.ts";
import { HttpConfig } from "./http-config.ts";

/** `"./src/agent.ts:graph"`: a file relative to the configuration file, a colon, an export name (empty: `default`). */
const GraphPath = z
  .string()
  .regex(/^[^:]+:/, 'expected "./file.ts:export"')
  .max(1024);

export const GraphEntry = z
  .union([GraphPath, z.looseObject({ path: GraphPath, description: z.string().optional() })])
  .transform((entry) => (typeof entry === "string" ? { path: entry, description: undefined } : entry));
export type GraphEntry = z.infer<typeof GraphEntry>;

const AuthConfig = z.looseObject({
  path: GraphPath,
  /** Otherwise requests with `x-auth-scheme: langsmith` pass, which anybody can send. */
  disable_studio_auth: z.boolean().default(true),
});

/** `graphlib.json` or its twin `langgraph.json`. Unknown keys are kept and ignored. */
export const AppConfig = z.looseObject({
  graphs: z
    .record(z.string().min(1).max(128), GraphEntry)
    .refine((graphs) => Object.keys(graphs).length > 0, "expected at least one graph"),
  /** A path to a `.env` file, values by name, or the names to take from the server's own environment. */
  env: z.union([z.string(), z.record(z.string(), z.coerce.string()), z.array(z.string())]).default({}),
  node_version: z.string().optional(),
  /** How long threads are kept that say nothing of it themselves; in minutes. */
  checkpointer: z
    .looseObject({
      ttl: z
        .looseObject({
          strategy: z.enum(["delete", "keep_latest"]).default("delete"),
          default_ttl: z.number().positive().optional(),
        })
        .optional(),
    })
    .optional(),
  store: StoreConfig.optional(),
  webhooks: WebhooksConfig.optional(),
  http: HttpConfig.prefault({}),
  /** The application's own authentication, of its deployment's callers. */
  auth: nullish(AuthConfig),
});
export type AppConfig = z.infer<typeof AppConfig>;

/** The names under which the configuration is looked up, in this order. */
export const configFileNames = ["graphlib.json", "langgraph.json"] as const;

/** Splits `file:export` at the first colon; an empty export means `default`. */
export function parseGraphPath(path: string): { file: string; exportName: string } {
  const colon = path.indexOf(":");
  return { file: path.slice(0, colon), exportName: path.slice(colon + 1) || "default" };
}

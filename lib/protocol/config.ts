import * as z from "zod";

/** `"./src/agent.ts:graph"`: a file relative to the configuration file, a colon, an export name (empty: `default`). */
const GraphPath = z
  .string()
  .regex(/^[^:]+:/, 'expected "./file.ts:export"')
  .max(1024);

export const GraphEntry = z
  .union([GraphPath, z.looseObject({ path: GraphPath, description: z.string().optional() })])
  .transform((entry) => (typeof entry === "string" ? { path: entry, description: undefined } : entry));
export type GraphEntry = z.infer<typeof GraphEntry>;

const HttpConfig = z.looseObject({
  disable_a2a: z.boolean().default(false),
});

/** `graphlib.json` or its twin `langgraph.json`. Unknown keys are kept and ignored. */
export const AppConfig = z.looseObject({
  graphs: z
    .record(z.string().min(1).max(128), GraphEntry)
    .refine((graphs) => Object.keys(graphs).length > 0, "expected at least one graph"),
  /** A path to a `.env` file, values by name, or the names to take from the server's own environment. */
  env: z.union([z.string(), z.record(z.string(), z.coerce.string()), z.array(z.string())]).default({}),
  node_version: z.string().optional(),
  http: HttpConfig.default({ disable_a2a: false }),
});
export type AppConfig = z.infer<typeof AppConfig>;

/** The names under which the configuration is looked up, in this order. */
export const configFileNames = ["graphlib.json", "langgraph.json"] as const;

/** Splits `file:export` at the first colon; an empty export means `default`. */
export function parseGraphPath(path: string): { file: string; exportName: string } {
  const colon = path.indexOf(":");
  return { file: path.slice(0, colon), exportName: path.slice(colon + 1) || "default" };
}

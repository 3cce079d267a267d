import * as z from "zod";

/** The place of code in the application: a path from its folder, and a line from 1. */
export const SourcePlace = z.object({ file: z.string(), line: z.int().min(1) });
export type SourcePlace = z.infer<typeof SourcePlace>;

/** Facts about a node: its `metadata` in a drawing. Absent members are unknown, or do not hold. */
export const NodeInfo = z.object({
  kind: z.enum(["node", "tools", "model", "subgraph"]),
  /** The place of the node's function in the source. */
  source: SourcePlace.optional(),
  /** The retry policy, as far as the application sets it. Intervals in milliseconds. */
  retry: z
    .object({
      max_attempts: z.number().optional(),
      initial_interval: z.number().optional(),
      max_interval: z.number().optional(),
      backoff_factor: z.number().optional(),
      jitter: z.boolean().optional(),
    })
    .optional(),
  /** Set if results are cached; `ttl` in seconds, as LangGraph has it. */
  cache: z.object({ ttl: z.number().optional() }).optional(),
  /** Runs once all other tasks are done. */
  defer: z.boolean().optional(),
  tools: z.array(z.object({ name: z.string(), description: z.string().optional() })).optional(),
  model: z.string().optional(),
  /** The keys of the node's own input schema. */
  reads: z.array(z.string()).optional(),
  /** The nodes that its commands may go to. */
  ends: z.array(z.string()).optional(),
  interrupt_before: z.boolean().optional(),
  interrupt_after: z.boolean().optional(),
});
export type NodeInfo = z.infer<typeof NodeInfo>;

/** Returns what a drawing's `metadata` tells of a node; undefined if it tells nothing that is known here. */
export function readNodeInfo(metadata: unknown): NodeInfo | undefined {
  const info = NodeInfo.safeParse(metadata);
  return info.success ? info.data : undefined;
}

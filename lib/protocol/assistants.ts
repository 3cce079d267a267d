import * as z from "zod";
import { nullish, Page } from "./fields.ts";
import { RunConfig } from "./runs.ts";

export const Assistant = z.object({
  assistant_id: z.uuid(),
  graph_id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  config: RunConfig,
  context: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
  version: z.int().min(1),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Assistant = z.infer<typeof Assistant>;

const assistantFields = Assistant.keyof();

/** Body of `POST /assistants/search`. */
export const AssistantSearch = z.object({
  graph_id: nullish(z.string()),
  name: nullish(z.string()),
  metadata: nullish(z.record(z.string(), z.unknown())),
  ...Page,
  sort_by: nullish(z.enum(["assistant_id", "graph_id", "name", "created_at", "updated_at"])).transform(
    (field) => field ?? "created_at",
  ),
  sort_order: nullish(z.enum(["asc", "desc"])).transform((order) => order ?? "desc"),
  select: nullish(z.array(assistantFields)),
});
export type AssistantSearch = z.infer<typeof AssistantSearch>;

/** Drawable structure of a graph, as `GET /assistants/{id}/graph` answers it. */
export const GraphDrawing = z.object({
  nodes: z.array(
    z.object({
      id: z.union([z.string(), z.number()]),
      type: z.string().optional(),
      data: z.unknown(),
      metadata: z.unknown().optional(),
    }),
  ),
  edges: z.array(
    z.object({
      source: z.string(),
      target: z.string(),
      conditional: z.boolean().optional(),
      data: z.unknown().optional(),
    }),
  ),
});
export type GraphDrawing = z.infer<typeof GraphDrawing>;

/** JSON Schemas of a graph, each null where none could be read. */
export const GraphSchemas = z.object({
  graph_id: z.string(),
  input_schema: z.unknown().nullable(),
  output_schema: z.unknown().nullable(),
  state_schema: z.unknown().nullable(),
  config_schema: z.unknown().nullable(),
  context_schema: z.unknown().nullable(),
});
export type GraphSchemas = z.infer<typeof GraphSchemas>;

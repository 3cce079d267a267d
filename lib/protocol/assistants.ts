import * as z from "zod";
import { listOf, Members, nullish, Page } from "./fields.ts";
import { RunConfig } from "./runs.ts";

export const Assistant = z.object({
  assistant_id: z.uuid(),
  graph_id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  config: RunConfig,
  context: Members,
  metadata: Members,
  version: z.int().min(1),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Assistant = z.infer<typeof Assistant>;

/** An assistant as it was after one change; `created_at` is the time of that change. */
export const AssistantVersion = Assistant.omit({ updated_at: true });
export type AssistantVersion = z.infer<typeof AssistantVersion>;

const assistantFields = Assistant.keyof();
/** Schema of text that PostgreSQL can store: without null characters. */
const Text = z.string().refine((text) => !text.includes("\0"), "expected text without null characters");

/** Body of `POST /assistants`. */
export const AssistantCreate = z.object({
  graph_id: Text,
  assistant_id: nullish(z.guid("expected a UUID").toLowerCase()),
  config: nullish(RunConfig).transform((config) => config ?? {}),
  context: nullish(Members).transform((context) => context ?? {}),
  metadata: nullish(Members).transform((metadata) => metadata ?? {}),
  name: nullish(Text).transform((name) => name ?? "Untitled"),
  description: nullish(Text).transform((description) => description ?? null),
  if_exists: nullish(z.enum(["raise", "do_nothing"])).transform((answer) => answer ?? "raise"),
});
export type AssistantCreate = z.infer<typeof AssistantCreate>;

/** Body of `PATCH /assistants/{id}`. Absent members stay unchanged; metadata is merged by member, others replaced. */
export const AssistantPatch = z.object({
  graph_id: nullish(Text),
  config: nullish(RunConfig),
  context: nullish(Members),
  metadata: nullish(Members),
  name: nullish(Text),
  description: nullish(Text),
});
export type AssistantPatch = z.infer<typeof AssistantPatch>;

/** Computes a changed assistant. It must be pure, because it may be called more than once. */
export type AssistantChange = (assistant: Assistant) => Assistant;

/** Body of `POST /assistants/count`. */
export const AssistantFilter = z.object({
  graph_id: nullish(Text),
  name: nullish(Text),
  metadata: nullish(Members),
});
export type AssistantFilter = z.infer<typeof AssistantFilter>;

/** Body of `POST /assistants/{id}/versions`. */
export const VersionSearch = z.object({ metadata: nullish(Members), ...Page });
export type VersionSearch = z.infer<typeof VersionSearch>;

/** Body of `POST /assistants/search`. */
export const AssistantSearch = AssistantFilter.extend({
  ...Page,
  sort_by: nullish(z.enum(["assistant_id", "graph_id", "name", "created_at", "updated_at"])).transform(
    (field) => field ?? "created_at",
  ),
  sort_order: nullish(z.enum(["asc", "desc"])).transform((order) => order ?? "desc"),
  select: nullish(listOf(assistantFields, 100)),
});
export type AssistantSearch = z.infer<typeof AssistantSearch>;

/** Drawable structure of a graph, as `GET /assistants/{id}/graph` returns it. */
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
      source: z.union([z.string(), z.number()]),
      target: z.union([z.string(), z.number()]),
      conditional: z.boolean().optional(),
      data: z.unknown().optional(),
    }),
  ),
});
export type GraphDrawing = z.infer<typeof GraphDrawing>;

/** JSON Schemas of a graph. Each is null if it could not be determined. */
export const GraphSchemas = z.object({
  graph_id: z.string(),
  input_schema: z.unknown().nullable(),
  output_schema: z.unknown().nullable(),
  state_schema: z.unknown().nullable(),
  config_schema: z.unknown().nullable(),
  context_schema: z.unknown().nullable(),
});
export type GraphSchemas = z.infer<typeof GraphSchemas>;

/** Schemas of a subgraph, under the names of `GraphSchemas` and under the names that older servers used. */
export type SubgraphSchemas = GraphSchemas & {
  state: unknown;
  input: unknown;
  output: unknown;
  config: unknown;
};

/** Schemas of subgraphs, keyed by namespace: names of nodes joined by `|`. */
export type Subgraphs = Record<string, SubgraphSchemas>;

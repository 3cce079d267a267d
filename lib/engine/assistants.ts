import type { Assistant, AssistantSearch, GraphDrawing, GraphSchemas } from "../protocol/assistants.ts";
import { Fault } from "../protocol/faults.ts";
import { isUuid } from "../rules/assistant-id.ts";
import type { Deployment, Platform } from "./ports.ts";

/** Makes the assistant of every graph that has none yet. */
export async function ensureSystemAssistants(platform: Platform, deployment: Deployment): Promise<void> {
  const now = new Date(platform.clock.now()).toISOString();
  for (const [graphId, assistantId] of deployment.systemAssistants) {
    await deployment.assistants.ensure({
      assistant_id: assistantId,
      graph_id: graphId,
      name: graphId,
      description: deployment.config?.graphs[graphId]?.description ?? null,
      config: {},
      context: {},
      metadata: { created_by: "system" },
      version: 1,
      created_at: now,
      updated_at: now,
    });
  }
}

/**
 * An assistant by its id or by the name of its graph, as long as the application still has that graph.
 * Faults: `not_found`, in the words that clients match.
 */
export async function findAssistant(platform: Platform, deployment: Deployment, idOrGraph: string): Promise<Assistant> {
  const graphs = deployment.config?.graphs ?? {};
  const id = deployment.systemAssistants.get(idOrGraph) ?? idOrGraph.toLowerCase();
  const assistant = isUuid(id) ? await deployment.assistants.get(id) : undefined;
  if (assistant && Object.hasOwn(graphs, assistant.graph_id)) return assistant;
  throw new Fault(
    "not_found",
    `No assistant found for "${idOrGraph}". Make sure the assistant ID is for a valid assistant or a valid graph ID.`,
  );
}

/** As `findAssistant`, in the words of the assistants resource. */
export async function getAssistant(platform: Platform, deployment: Deployment, idOrGraph: string): Promise<Assistant> {
  try {
    return await findAssistant(platform, deployment, idOrGraph);
  } catch (cause) {
    throw new Fault("not_found", "Assistant not found", { cause });
  }
}

export interface AssistantPage {
  assistants: Partial<Assistant>[];
  total: number;
  /** Offset of the next page, when there is one. */
  next?: number;
}

export async function searchAssistants(deployment: Deployment, search: AssistantSearch): Promise<AssistantPage> {
  const { assistants, total } = await deployment.assistants.search(search);
  const end = search.offset + assistants.length;
  return { assistants: assistants.map((one) => pick(one, search.select)), total, next: end < total ? end : undefined };
}

function pick(assistant: Assistant, fields: readonly (keyof Assistant)[] | undefined): Partial<Assistant> {
  if (!fields) return assistant;
  const wanted = new Set<string>(fields);
  return Object.fromEntries(Object.entries(assistant).filter(([name]) => wanted.has(name)));
}

/** Faults: `unavailable` when the graph did not load. */
export async function drawGraph(deployment: Deployment, graph: string, xray: boolean | number): Promise<GraphDrawing> {
  requireLoaded(deployment, graph);
  return await deployment.worker.drawing(graph, xray);
}

/** Faults: `unavailable` when the graph did not load. */
export async function readSchemas(deployment: Deployment, graph: string): Promise<GraphSchemas> {
  requireLoaded(deployment, graph);
  return await deployment.worker.schemas(graph);
}

function requireLoaded(deployment: Deployment, graph: string): void {
  const error = deployment.worker.graphs().find((one) => one.graph === graph)?.error;
  if (error) throw new Fault("unavailable", `Graph "${graph}" did not load: ${error.error}: ${error.message}`);
}

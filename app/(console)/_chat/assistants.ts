import { exampleInput, takesMessages } from "#lib/client/example-input.ts";
import { searchAssistants } from "#lib/engine/assistants.ts";
import { viewDeployment } from "#lib/engine/deployments.ts";
import type { Deployment } from "#lib/engine/ports/ports.ts";
import { startersOf } from "#lib/rules/graphs/starters.ts";
import { type Assistant, AssistantSearch } from "#lib/protocol/assistants.ts";
import type { GraphState } from "#lib/protocol/deployments.ts";
import { isObject } from "#lib/protocol/json.ts";
import { isUuid } from "#lib/rules/uuid.ts";
import { isVisible } from "#lib/rules/visibility.ts";
import { inputSchemaOf } from "../_deployments/input-schema.ts";
import type { ChatAssistant, ChosenAssistant } from "./assistant.ts";
import type { ConsoleAccess } from "../_auth/console-access.ts";

export interface GraphAssistant extends ChatAssistant {
  readonly graph: string;
}

const MOST_ASSISTANTS = 200;

/**
 * Lists the assistants whose graphs the application still has, in the order of its configuration. Of each graph, its
 * own assistant comes first, then the others by name.
 */
export async function chatAssistants(deployment: Deployment, { permit }: ConsoleAccess): Promise<GraphAssistant[]> {
  const search = AssistantSearch.parse({ limit: MOST_ASSISTANTS, sort_by: "name", sort_order: "asc" });
  const permitted = await permit("assistants:search", search);
  // The graphs' own assistants need no permission, because the deployment's page shows the graphs anyway.
  const { items: assistants } = permitted
    ? await searchAssistants(deployment, AssistantSearch.parse(permitted.value), permitted.visible)
    : await searchAssistants(deployment, { ...search, metadata: { created_by: "system" } });
  const { graphs } = viewDeployment(deployment);
  const known = assistants.flatMap((one) => assistantOf(one, graphs) ?? []);
  return graphs.flatMap(({ graph }) => {
    const ofGraph = known.filter((one) => one.graph === graph);
    return [...ofGraph.filter((one) => one.id === graph), ...ofGraph.filter((one) => one.id !== graph)];
  });
}

/** Returns what the pages show of an assistant; undefined if the application no longer has its graph. */
function assistantOf(one: Partial<Assistant>, graphs: readonly GraphState[]): GraphAssistant | undefined {
  const graph = graphs.find((state) => state.graph === one.graph_id);
  if (!graph) return undefined;
  const isOwn = one.metadata?.created_by === "system";
  return {
    id: isOwn ? graph.graph : (one.assistant_id ?? graph.graph),
    name: one.name ?? graph.graph,
    assistantId: one.assistant_id,
    graph: graph.graph,
    description: one.description ?? graph.description,
    error: graph.error && `${graph.error.error}: ${graph.error.message}`,
  };
}

/**
 * Returns the assistant that a URL names by its id or by the name of its graph; null if there is none. It may be one of those
 * that are too many to be listed. Undefined if the URL names none, or if the visitor has to authenticate to see them.
 */
export async function requestedAssistant(
  deployment: Deployment,
  { caller, permit }: ConsoleAccess,
  listed: readonly GraphAssistant[],
  requested: string | readonly string[] | undefined,
): Promise<GraphAssistant | null | undefined> {
  if (requested === undefined || requested === "") return undefined;
  const found = listed.find(({ id, assistantId }) => id === requested || assistantId === requested);
  if (found) return found;
  if (listed.length === 0 || caller === "closed" || caller === "disabled") return undefined;
  if (typeof requested !== "string" || !isUuid(requested)) return null;
  const permitted = await permit("assistants:read", { assistant_id: requested });
  const stored = permitted && (await deployment.assistants.get(requested));
  if (!stored || !isVisible(permitted.visible, stored.metadata)) return null;
  return assistantOf(stored, viewDeployment(deployment).graphs) ?? null;
}

/** Returns the assistant that a chat starts with: the first that takes messages, else the first that can run. */
export async function firstAssistant(
  deployment: Deployment,
  assistants: readonly GraphAssistant[],
): Promise<GraphAssistant | undefined> {
  const able = assistants.filter((one) => !one.error);
  for (const one of able) if (takesMessages(await inputSchemaOf(deployment, one.graph))) return one;
  return able[0] ?? assistants[0];
}

export async function chosenAssistant(deployment: Deployment, assistant: GraphAssistant): Promise<ChosenAssistant> {
  const { graph } = assistant;
  const starters = startersOf(deployment.config, graph);
  const schema = await inputSchemaOf(deployment, graph);
  const example = exampleInput(schema, starters[0] ?? "");
  return {
    ...assistant,
    starters,
    takesMessages: takesMessages(schema),
    // Messages of A2A carry objects.
    example: isObject(example) ? example : {},
  };
}

import { exampleInput, takesMessages } from "#lib/client/example-input.ts";
import { searchAssistants } from "#lib/engine/assistants.ts";
import { viewDeployment } from "#lib/engine/deployments.ts";
import type { Deployment } from "#lib/engine/ports/ports.ts";
import { startersOf } from "#lib/rules/graphs/starters.ts";
import { AssistantSearch } from "#lib/protocol/assistants.ts";
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
  const graphs = new Map(viewDeployment(deployment).graphs.map((one) => [one.graph, one]));
  const search = AssistantSearch.parse({ limit: MOST_ASSISTANTS, sort_by: "name", sort_order: "asc" });
  const permitted = await permit("assistants:search", search);
  // The graphs' own assistants need no permission, because the deployment's page shows the graphs anyway.
  const { items: assistants } = permitted
    ? await searchAssistants(deployment, AssistantSearch.parse(permitted.value), permitted.visible)
    : await searchAssistants(deployment, { ...search, metadata: { created_by: "system" } });
  const known = assistants.flatMap((one): GraphAssistant[] => {
    const graph = graphs.get(one.graph_id ?? "");
    if (!graph) return [];
    const isOwn = one.metadata?.created_by === "system";
    return [
      {
        id: isOwn ? graph.graph : (one.assistant_id ?? graph.graph),
        name: one.name ?? graph.graph,
        assistantId: one.assistant_id,
        graph: graph.graph,
        description: one.description ?? graph.description,
        error: graph.error && `${graph.error.error}: ${graph.error.message}`,
      },
    ];
  });
  return [...graphs.keys()].flatMap((graph) => {
    const ofGraph = known.filter((one) => one.graph === graph);
    return [...ofGraph.filter((one) => one.id === graph), ...ofGraph.filter((one) => one.id !== graph)];
  });
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
  return {
    ...assistant,
    starters,
    takesMessages: takesMessages(schema),
    example: exampleInput(schema, starters[0] ?? ""),
  };
}

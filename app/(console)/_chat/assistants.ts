import { exampleInput, takesMessages } from "@/lib/client/example-input.ts";
import { searchAssistants } from "@/lib/engine/assistants.ts";
import { viewDeployment } from "@/lib/engine/deployments.ts";
import type { Deployment } from "@/lib/engine/ports.ts";
import { AssistantSearch } from "@/lib/protocol/assistants.ts";
import { inputSchemaOf } from "../_deployments/input-schema.ts";
import { startersOf } from "../_deployments/starters.ts";
import type { ChatAssistant, ChosenAssistant } from "./assistant.ts";
import type { ConsoleAccess } from "../_caller/console-access.ts";

export interface KnownAssistant extends ChatAssistant {
  readonly graph: string;
}

const MOST = 200;

/** The assistants whose graphs the application still has, by name. */
export async function chatAssistants(deployment: Deployment, { permit }: ConsoleAccess): Promise<KnownAssistant[]> {
  const graphs = new Map(viewDeployment(deployment).graphs.map((one) => [one.graph, one]));
  const search = AssistantSearch.parse({ limit: MOST, sort_by: "name", sort_order: "asc" });
  const permitted = await permit("assistants:search", search);
  // Those of the graphs themselves are no secret: the deployment's page shows the graphs.
  const { assistants } = permitted
    ? await searchAssistants(deployment, AssistantSearch.parse(permitted.value), permitted.visible)
    : await searchAssistants(deployment, { ...search, metadata: { created_by: "system" } });
  return assistants.flatMap((one): KnownAssistant[] => {
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
}

export async function chosenAssistant(
  deployment: Deployment,
  { graph, ...assistant }: KnownAssistant,
): Promise<ChosenAssistant> {
  const starters = startersOf(deployment, graph);
  const schema = await inputSchemaOf(deployment, graph);
  return {
    ...assistant,
    starters,
    takesMessages: takesMessages(schema),
    example: exampleInput(schema, starters[0] ?? ""),
  };
}

/** What a graph looks like, for drawing it and for asking its input. */
import type { Subgraphs, SubgraphSchemas } from "../protocol/assistants.ts";
import type { HostMessage } from "../protocol/worker.ts";
import { logFailure, toRunError, withoutFolder } from "./failure.ts";
import type { Graph } from "./langgraph.ts";
import { type Application, sourceOf } from "./load.ts";
import { jsonOf } from "./plain.ts";
import { schemasOf, takesMessages } from "./schemas.ts";

type Question = Extract<HostMessage, { type: "describe" }>;

/** One line that answers; never rejects. */
export async function describe(app: Application, question: Question): Promise<string> {
  const { id, graph: graphId } = question;
  try {
    const graph = await sourceOf(app, graphId)({ configurable: {} });
    return `${jsonOf({ type: "described", id, ...(await answerOf(app, question, graph)) })}\n`;
  } catch (error) {
    logFailure(`Graph ${graphId} cannot be described:`, error);
    return `${jsonOf({ type: "described", id, error: withoutFolder(toRunError(error), app.folder) })}\n`;
  }
}

async function answerOf(app: Application, question: Question, graph: Graph): Promise<object> {
  const { graph: graphId } = question;
  switch (question.what) {
    case "schemas": {
      const isEnough = question.quick === true && takesMessages(graph);
      const wants = { types: false };
      const types = async () => {
        if (question.types || isEnough) return question.types ?? {};
        wants.types = app.typesOf === undefined;
        return (await app.typesOf?.(graphId)) ?? {};
      };
      const schemas = await schemasOf(app.langgraph, graph, types);
      return { schemas: { graph_id: graphId, ...schemas }, wantsTypes: wants.types };
    }
    case "subgraphs":
      return { subgraphs: await subgraphsOf(app, graph, question.namespace, question.recurse) };
    case "drawing": {
      const drawing = await graph.getGraphAsync({ configurable: {}, xray: question.xray });
      return { drawing: drawing.toJSON() };
    }
  }
}

async function subgraphsOf(
  { langgraph }: Application,
  graph: Graph,
  namespace: string | undefined,
  recurse: boolean,
): Promise<Subgraphs> {
  const found: [string, SubgraphSchemas][] = [];
  // Asked for all and chosen here: LangGraph takes `ab` for a namespace inside of a node called `a`.
  for await (const [name, subgraph] of graph.getSubgraphsAsync(undefined, recurse || namespace !== undefined)) {
    if (namespace !== undefined && name !== withoutTasks(namespace)) continue;
    // No source file says which of its values is this one.
    const schemas = await schemasOf(langgraph, subgraph, () => Promise.resolve({}));
    const { state_schema: state, input_schema: input, output_schema: output, config_schema: config } = schemas;
    found.push([name, { ...schemas, state, input, output, config }]);
  }
  return Object.fromEntries(found);
}

/** Events name the task beside each node: `child:0a1b...|model:2c3d...`. */
function withoutTasks(namespace: string): string {
  return namespace
    .split("|")
    .map((node) => node.split(":")[0])
    .join("|");
}

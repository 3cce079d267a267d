/** Describes a graph by its schemas, its subgraphs and a drawing. */
import type { Subgraphs, SubgraphSchemas } from "../../protocol/assistants.ts";
import type { HostMessage, SourceTypes } from "../../protocol/worker.ts";
import { logFailure, toRunError, withoutFolder } from "../failure.ts";
import type { Graph } from "../langgraph.ts";
import { type Application, sourceOf } from "./load.ts";
import { nodeInfos } from "./node-info.ts";
import { stopCompiler } from "../modules/compiler.ts";
import { jsonOf } from "../plain.ts";
import { schemasOf, takesMessages } from "../schemas/schemas.ts";
import { subgraphsAt } from "../subgraphs.ts";

type DescribeQuestion = Extract<HostMessage, { type: "describe" }>;

/** Returns the line of the answer; never rejects. */
export async function describe(app: Application, question: DescribeQuestion): Promise<string> {
  const { id, graph: graphId } = question;
  try {
    const graph = await sourceOf(app, graphId)({ configurable: {} });
    return `${jsonOf({ type: "described", id, ...(await answerOf(app, question, graph)) })}\n`;
  } catch (error) {
    logFailure(`Graph ${graphId} cannot be described:`, error);
    return `${jsonOf({ type: "described", id, error: withoutFolder(toRunError(error), app.folder) })}\n`;
  }
}

async function answerOf(app: Application, question: DescribeQuestion, graph: Graph): Promise<object> {
  const { graph: graphId } = question;
  switch (question.what) {
    case "schemas": {
      const types = typesFor(app, graphId, question.types ?? (needsTypes(question, graph) ? undefined : {}));
      const schemas = await schemasOf(app.langgraph, graph, types.read);
      return { schemas: { graph_id: graphId, ...schemas }, wantsTypes: types.wanted };
    }
    case "subgraphs": {
      const types = typesFor(app, graphId, question.types);
      return { subgraphs: await subgraphsOf(app, graph, question, types.read), wantsTypes: types.wanted };
    }
    case "drawing": {
      const drawing = await graph.getGraphAsync({ configurable: {}, xray: question.xray });
      return { drawing: await withInfos(drawing.toJSON(), graph, app) };
    }
  }
}

/** Adds what is known of each node, as its `metadata`. Compiling a file to find code in it may start the compiler. */
async function withInfos(drawing: object, graph: Graph, app: Application): Promise<object> {
  const infos = await nodeInfos(graph, app.findSources());
  await stopCompiler();
  if (!("nodes" in drawing) || !Array.isArray(drawing.nodes)) return drawing;
  const nodes = (drawing.nodes as { id: string | number }[]).map((node) => {
    const metadata = infos.get(String(node.id));
    return metadata ? { ...node, metadata } : node;
  });
  return { ...drawing, nodes };
}

function needsTypes({ typed }: Extract<DescribeQuestion, { what: "schemas" }>, graph: Graph): boolean {
  return typed === "all" || (typed === "without messages" && !takesMessages(graph));
}

/** Reads the types in the sources on demand. `wanted` becomes true if this process may not read them itself. */
function typesFor({ typesOf }: Application, graph: string, known: SourceTypes | undefined) {
  const types = {
    wanted: false,
    async read(): Promise<SourceTypes> {
      if (known) return known;
      types.wanted = typesOf === undefined;
      return (await typesOf?.(graph)) ?? {};
    },
  };
  return types;
}

async function subgraphsOf(
  { langgraph }: Application,
  graph: Graph,
  { graph: graphId, namespace, recurse }: { graph: string; namespace?: string; recurse: boolean },
  types: () => Promise<SourceTypes>,
): Promise<Subgraphs> {
  const found: [string, SubgraphSchemas][] = [];
  for await (const [name, subgraph] of subgraphsAt(graph, namespace, recurse)) {
    const schemas = await schemasOf(langgraph, subgraph, async () => (await types()).inside?.[name] ?? {});
    const { state_schema: state, input_schema: input, output_schema: output, config_schema: config } = schemas;
    found.push([name, { graph_id: graphId, ...schemas, state, input, output, config }]);
  }
  return Object.fromEntries(found);
}

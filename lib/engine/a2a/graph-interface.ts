import type { LoadedGraph } from "../../protocol/worker.ts";
import { graphInterfaceOf, type GraphInterface } from "../../rules/a2a/message-to-run.ts";
import { readIoSchemas } from "../assistants.ts";
import type { Deployment } from "../ports/ports.ts";

/** Interfaces by the graph list of one worker start. Another start makes another list, and may load other code. */
const graphInterfaces = new WeakMap<readonly LoadedGraph[], Map<string, Promise<GraphInterface>>>();

/** Returns the form of a graph's input and output. The worker is asked once; `unknown` as long as it cannot answer. */
export async function readGraphInterface(deployment: Deployment, graph: string): Promise<GraphInterface> {
  const loaded = deployment.worker.graphs();
  const known = graphInterfaces.get(loaded) ?? new Map<string, Promise<GraphInterface>>();
  graphInterfaces.set(loaded, known);
  let graphInterface = known.get(graph);
  if (!graphInterface) {
    graphInterface = readIoSchemas(deployment, graph).then(({ input, output }) => graphInterfaceOf(input, output));
    known.set(graph, graphInterface);
  }
  try {
    return await graphInterface;
  } catch {
    known.delete(graph);
    return { takes: "unknown" };
  }
}

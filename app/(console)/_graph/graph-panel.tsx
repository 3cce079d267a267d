import { drawGraph } from "#lib/engine/assistants.ts";
import type { Deployment } from "#lib/engine/ports/ports.ts";
import { isFault } from "#lib/protocol/faults.ts";
import type { GraphState } from "#lib/protocol/deployments.ts";
import { type GraphLayout, layoutGraph, whyNotPlaced } from "#lib/rules/graphs/layout.ts";
import { Notice } from "../_ui/notice.tsx";
import { GraphCanvas } from "./graph-canvas.tsx";

/** Shows one graph. The server computes the layout, and the browser draws it. */
export async function GraphPanel({ deployment, graph }: { deployment: Deployment; graph: GraphState }) {
  const drawn = await placed(deployment, graph);
  if (typeof drawn === "object") return <GraphCanvas name={graph.graph} layout={drawn} />;
  return (
    <div className="p-4">
      <Notice tone={graph.error ? "bad" : "neutral"} title={`${graph.graph} cannot be drawn`}>
        {drawn}
      </Notice>
    </div>
  );
}

/** Returns the layout, or the reason why there is none. */
async function placed(deployment: Deployment, graph: GraphState): Promise<GraphLayout | string> {
  if (graph.error) return `${graph.error.error}: ${graph.error.message}`;
  if (deployment.worker.state().status !== "ready") return "It is drawn as soon as the worker is ready.";
  try {
    const drawing = await drawGraph(deployment, graph.graph, false);
    return whyNotPlaced(drawing) ?? layoutGraph(drawing);
  } catch (cause) {
    return isFault(cause) ? cause.message : "The worker could not describe it. See the server log.";
  }
}

/** What a graph looks like, for drawing it and for asking its input. */
import type { HostMessage } from "../protocol/worker.ts";
import { logFailure, toRunError, withoutFolder } from "./failure.ts";
import { type Application, sourceOf } from "./load.ts";
import { jsonOf } from "./plain.ts";
import { schemasOf } from "./schemas.ts";

type Question = Extract<HostMessage, { type: "describe" }>;

/** One line that answers; never rejects. */
export async function describe(app: Application, question: Question): Promise<string> {
  const { id, graph: graphId, what } = question;
  try {
    const graph = await sourceOf(app, graphId)({ configurable: {} });
    if (what === "schemas") {
      const schemas = { graph_id: graphId, ...(await schemasOf(app.langgraph, graph)) };
      return `${jsonOf({ type: "described", id, schemas })}\n`;
    }
    const drawing = await graph.getGraphAsync({ configurable: {}, xray: question.xray });
    return `${jsonOf({ type: "described", id, drawing: drawing.toJSON() })}\n`;
  } catch (error) {
    logFailure(`Graph ${graphId} cannot be described:`, error);
    return `${jsonOf({ type: "described", id, error: withoutFolder(toRunError(error), app.folder) })}\n`;
  }
}

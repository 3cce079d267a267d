import type { LoadedGraph } from "../../protocol/worker.ts";
import { intakeOf, type Intake } from "../../rules/a2a/message-to-run.ts";
import { readShapes } from "../assistants.ts";
import type { Deployment } from "../ports/ports.ts";

/** By the list of graphs of one start of the worker: another start makes another list, and may load other code. */
const intakes = new WeakMap<readonly LoadedGraph[], Map<string, Promise<Intake>>>();

/** What a graph takes and gives. Asked of the worker once; `unknown` as long as the worker cannot tell. */
export async function readIntake(deployment: Deployment, graph: string): Promise<Intake> {
  const loaded = deployment.worker.graphs();
  const known = intakes.get(loaded) ?? new Map<string, Promise<Intake>>();
  intakes.set(loaded, known);
  let intake = known.get(graph);
  if (!intake) {
    intake = readShapes(deployment, graph).then(({ input, output }) => intakeOf(input, output));
    known.set(graph, intake);
  }
  try {
    return await intake;
  } catch {
    known.delete(graph);
    return { takes: "unknown" };
  }
}

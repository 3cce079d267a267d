import { readIoSchemas } from "#lib/engine/assistants.ts";
import type { Deployment } from "#lib/engine/ports/ports.ts";

/** Returns the input schema of a graph; undefined while the worker is not ready, or if it cannot read the schema. */
export async function inputSchemaOf(deployment: Deployment, graph: string): Promise<unknown> {
  if (deployment.worker.state().status !== "ready") return undefined;
  try {
    return (await readIoSchemas(deployment, graph)).input;
  } catch {
    return undefined;
  }
}
